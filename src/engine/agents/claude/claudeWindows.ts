import type { UsageWindow } from '../../../core/accounts/usage.ts';

const week = 604_800;
const units = { hour: { seconds: 3600, letter: 'h' }, day: { seconds: 86_400, letter: 'd' } };
const counts: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12 },
  ...{ fourteen: 14, twenty_four: 24, twenty_eight: 28, thirty: 30, sixty: 60, ninety: 90 },
};
const windowName = /^(\w+)_(hour|day)$/;
const modelWindow = /^seven_day_(opus|sonnet)$/;

/**
 * Our window for one of Claude's names, without numbers, by the length that the name tells: new ones count like those
 * that we know. Undefined for those that count something else, or whose name tells no length.
 */
export function describeClaudeWindow(
  name: string,
): Pick<UsageWindow, 'id' | 'label' | 'seconds' | 'model'> | undefined {
  const model = modelWindow.exec(name)?.[1];
  if (model !== undefined) return describeModelWindow(model);
  const [, word = '', unit] = windowName.exec(name) ?? [];
  const count = /^\d+$/.test(word) ? Number(word) : Object.hasOwn(counts, word) ? counts[word] : undefined;
  if (count === undefined || count === 0 || (unit !== 'hour' && unit !== 'day')) return undefined;
  const seconds = count * units[unit].seconds;
  if (seconds === week) return { id: 'weekly', label: 'Week', seconds };
  const label = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return { id: `${count}${units[unit].letter}`, label, seconds };
}

export function describeModelWindow(model: string): Pick<UsageWindow, 'id' | 'label' | 'seconds' | 'model'> {
  const name = model.toLowerCase();
  return { id: `weekly:${name}`, label: `Week, ${model}`, seconds: week, model: name };
}

/** A share that was used, in percent, kept between 0 and 100: vendors go beyond. */
export function usedShare(percent: number): Pick<UsageWindow, 'used_pct' | 'free_pct'> {
  const used = Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
  return { used_pct: used, free_pct: Math.round((100 - used) * 100) / 100 };
}

/** RFC 3339 UTC of a number of milliseconds since 1970; undefined when it is no time. */
export function toTime(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
