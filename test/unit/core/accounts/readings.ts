import type { AccountReading, UsageWindow } from '../../../../src/core/accounts/usage.ts';

/** The fixed time of these tests. */
export const now = '2026-03-01T12:00:00Z';

/** A time some hours from then. */
export function hours(count: number): string {
  return new Date(Date.parse(now) + count * 3_600_000).toISOString();
}

export function usageWindow(id: string, free: number, resetsAt: string | null = hours(2)): UsageWindow {
  const model = /^weekly:(.+)/.exec(id)?.[1];
  return {
    id,
    label: id,
    seconds: id === '5h' ? 18_000 : 604_800,
    used_pct: 100 - free,
    free_pct: free,
    resets_at: resetsAt,
    ...(model === undefined ? {} : { model }),
  };
}

export function reading(
  name: string,
  windows: UsageWindow[],
  more: Partial<AccountReading> = {},
): AccountReading {
  const [kind = '', profile = ''] = name.split('/');
  return { kind, profile, status: 'ok', read_at: now, age_s: 0, windows, ...more };
}
