import type { UsageWindow } from '../../../core/accounts/usage.ts';

const fiveHours = 18_000;
const week = 604_800;
const modelWindow = /^seven_day_(opus|sonnet)$/;

/** Our window for one of Claude's names, without numbers; undefined for those that count something else. */
export function describeClaudeWindow(
  name: string,
): Pick<UsageWindow, 'id' | 'label' | 'seconds' | 'model'> | undefined {
  if (name === 'five_hour') {
    return { id: '5h', label: '5 hours', seconds: fiveHours };
  }
  if (name === 'seven_day') {
    return { id: 'weekly', label: 'Week', seconds: week };
  }
  const model = modelWindow.exec(name)?.[1];
  return model === undefined ? undefined : describeModelWindow(model);
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
