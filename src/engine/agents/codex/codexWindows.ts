import type { UsageWindow } from '../../../core/accounts/usage.ts';

/** A quota period as Codex tells of it, in its streams and in its thread files. */
export interface CodexWindow {
  usedPercent: number;
  windowMinutes: number;
  /** Epoch in seconds. */
  resetsAt: number | null;
}

const known = [
  { id: '5h', label: '5 hours', minutes: 300 },
  { id: 'weekly', label: 'Week', minutes: 10_080 },
];

/** Which window is which is told by its length alone: a plan may have any of them first. */
export function toUsageWindow(window: CodexWindow, model?: string): UsageWindow {
  const used = round(Math.min(100, Math.max(0, window.usedPercent)));
  const { id, label } = classify(window.windowMinutes);
  return {
    id: model === undefined ? id : `${id}:${model}`,
    label: model === undefined ? label : `${label}, ${model}`,
    seconds: Math.round(window.windowMinutes * 60),
    ...(model !== undefined && { model }),
    used_pct: used,
    free_pct: round(100 - used),
    resets_at: window.resetsAt === null ? null : toTime(window.resetsAt),
  };
}

/** Limits come as 299 minutes, too: near a known length is that length. */
function classify(minutes: number): { id: string; label: string } {
  const near = known.find((each) => Math.abs(minutes - each.minutes) <= each.minutes * 0.02);
  if (near) {
    return near;
  }
  const [count, letter, word] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'd', 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'h', 'hour']
        : [minutes, 'm', 'minute'];
  return { id: `${count}${letter}`, label: `${count} ${word}${count === 1 ? '' : 's'}` };
}

function toTime(seconds: number): string | null {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) || seconds <= 0 ? null : time.toISOString();
}

/** Two decimals: what floating point adds below that is noise. */
function round(percent: number): number {
  return Math.round(percent * 100) / 100;
}
