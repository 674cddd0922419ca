import { isOfOneModel } from './limitCounts.ts';
import type { AccountReading, KnownLimit, UsageWindow } from './usage.ts';
import { isUnasked, type MetLimit, type UsageEntry } from './usageEntry.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface NamedAccount {
  kind: string;
  profile: string;
  /** Whether it is the CLI's own home. */
  default: boolean;
  excluded: boolean;
}

/** What is known of an account, as it stands now. */
export function toReading(account: NamedAccount, entry: UsageEntry | undefined, now: Date): AccountReading {
  const { kind, profile } = account;
  const limits = (entry?.limits ?? [])
    .map((limit) => ({ ...limit, ...endOf(limit, entry?.windows ?? [], now) }))
    .filter((limit) => holds(limit, entry?.windows ?? [], now));
  const bench = limits.find((limit) => !isOfOneModel(limit));
  const readAt = entry === undefined ? null : oldest(entry);
  const status = bench && entry?.status !== 'not_logged_in' ? 'rate_limited' : (entry?.status ?? 'unknown');
  const reason =
    bench && status === 'rate_limited' ? describeLimit(bench) : (entry?.reason ?? whyUnread(account, entry));
  return {
    kind,
    profile,
    ...(entry?.identity !== undefined && { identity: entry.identity }),
    status,
    ...(reason !== undefined && { reason }),
    ...(entry?.plan !== undefined && { plan: entry.plan }),
    ...(account.default && { default: true }),
    ...(account.excluded && { excluded: true as const }),
    ...(limits.length > 0 && { limits: limits.map(({ at: _, ...limit }): KnownLimit => limit) }),
    ...(entry !== undefined && !isUnasked(entry) && { asked_at: entry.asked_at }),
    read_at: readAt,
    age_s: readAt === null ? null : Math.max(0, Math.round((now.getTime() - Date.parse(readAt)) / 1000)),
    windows: entry?.windows ?? [],
    ...(entry === undefined && { unread: true as const }),
  };
}

export function describeLimit({ window, resets_at }: KnownLimit): string {
  const until = resets_at === undefined ? 'its end is not known' : `it ends at ${resets_at}`;
  return `a run reached its ${window === undefined ? '' : `${window} `}limit; ${until}`;
}

/** The end that the vendor named with the limit, else that of its window, or of those that are used up. */
function endOf(limit: MetLimit, windows: readonly UsageWindow[], now: Date): { resets_at?: string } {
  if (limit.resets_at !== undefined) return {};
  const named = windows.filter(({ id }) => id === limit.window);
  const full = windows.filter(({ model, free_pct }) => model === undefined && free_pct < 1);
  const ends = (limit.window === undefined ? full : named).flatMap(({ resets_at }) => resets_at ?? []);
  const [last] = ends.toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return last !== undefined && Date.parse(last) > now.getTime() ? { resets_at: last } : {};
}

function holds(limit: MetLimit, windows: readonly UsageWindow[], now: Date): boolean {
  const { resets_at } = limit;
  return (resets_at === undefined ? latestEnd(limit, windows) : Date.parse(resets_at)) > now.getTime();
}

/**
 * Until when a limit counts of which nobody said the end: as long as its window is, one of a day until the next one
 * begins in UTC. One of a window that is not known is tried again after five hours, the shortest that vendors have.
 */
function latestEnd({ at, window = '' }: MetLimit, windows: readonly UsageWindow[]): number {
  const met = Date.parse(at);
  if (window === 'daily') return (Math.floor(met / dayMs) + 1) * dayMs;
  const length = windows.find(({ id }) => id === window)?.seconds ?? 0;
  return met + (length * 1000 || (/^weekly\b/.test(window) ? 7 * dayMs : 5 * hourMs));
}

function whyUnread({ excluded }: NamedAccount, entry: UsageEntry | undefined): string | undefined {
  if (entry !== undefined && !isUnasked(entry)) return undefined;
  return excluded ? 'excluded by your settings' : 'not read yet: read it with: ak usage';
}

/** An account is as old as the oldest of its windows. */
function oldest({ read_at, windows }: UsageEntry): string | null {
  const times = windows.flatMap((window: UsageWindow) => window.read_at ?? read_at ?? []);
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? read_at;
}
