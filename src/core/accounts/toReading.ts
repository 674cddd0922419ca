import type { AccountReading, KnownLimit, UsageWindow } from './usage.ts';
import { isUnasked, type MetLimit, type UsageEntry } from './usageEntry.ts';

const weekMs = 604_800_000;

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
    .filter((limit) => holds(limit, now));
  const bench = limits.find((limit) => modelOfWindow(limit.window) === undefined);
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

/** The model that a window counts alone, by its id; undefined for one that counts all. */
export function modelOfWindow(id: string | undefined): string | undefined {
  const colon = id?.indexOf(':') ?? -1;
  return colon < 0 ? undefined : id?.slice(colon + 1);
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

/** No window is longer than a week, so no limit of which nobody said the end is. */
function holds({ at, resets_at }: MetLimit, now: Date): boolean {
  return (resets_at === undefined ? Date.parse(at) + weekMs : Date.parse(resets_at)) > now.getTime();
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
