import type { Limit } from './refusal.ts';
import type { AccountStatus, UsageWindow } from './usage.ts';

/** A limit that a run met, with when it did. */
export type MetLimit = Limit & { at: string; run_model?: string };

/** What was last learnt of an account. Times are RFC 3339 UTC. */
export interface UsageEntry {
  status: AccountStatus;
  reason?: string | undefined;
  plan?: string | undefined;
  /** Salted hash of the vendor's name of the login. */
  identity?: string | undefined;
  /** When we last asked, whether or not it worked. */
  asked_at: string;
  /** When the windows were read, but for those that say otherwise. Null while none ever was. */
  read_at: string | null;
  windows: UsageWindow[];
  limits?: MetLimit[] | undefined;
}

/** What came of asking about an account. */
export interface Answer {
  status: AccountStatus;
  read_at?: string;
  reason?: string;
  plan?: string;
  windows: readonly UsageWindow[];
}

/**
 * The entry after asking; `identity` is null for a login that has no name, undefined where nobody said. One that could
 * not be read keeps its last good numbers, but never those of another login. A limit that a run met stays until a later
 * answer shows its window anew with room: the same numbers as before may come from a vendor's own cache. One of which
 * nobody said the end goes too where a person wanted the answer, and that shows nothing used up.
 */
export function afterAnswer(
  last: UsageEntry | undefined,
  answer: Answer,
  at: string,
  identity?: string | null,
  isWanted = false,
): UsageEntry {
  const isOther = last !== undefined && identity !== undefined && (identity ?? undefined) !== last.identity;
  const before = last === undefined || isOther ? undefined : notAhead(last, at);
  const failed = answer.status === 'unknown' || answer.status === 'not_logged_in';
  const windows = cleanWindows(answer.windows);
  const readAt = answer.read_at !== undefined && isBefore(answer.read_at, at) ? answer.read_at : at;
  // A failed reading shows nothing, but of an account that never tells a window there is no better one.
  const showsRoom = failed
    ? (before?.windows ?? []).length === 0
    : windows.every(({ free_pct }) => free_pct >= 1);
  const limits = (before?.limits ?? []).filter(
    (limit) =>
      !(isWanted && limit.resets_at === undefined && showsRoom) &&
      (failed || isBefore(readAt, limit.at) || !isContradicted(limit, before?.windows ?? [], windows)),
  );
  const plan = answer.plan ?? (failed ? before?.plan : undefined);
  const known = identity ?? before?.identity;
  return {
    status: answer.status,
    ...(answer.reason !== undefined && { reason: answer.reason }),
    ...(plan !== undefined && { plan }),
    ...(known !== undefined && { identity: known }),
    asked_at: at,
    read_at: failed ? (before?.read_at ?? null) : readAt,
    windows: failed ? (before?.windows ?? []) : windows,
    ...(limits.length > 0 && { limits }),
  };
}

/**
 * The entry without times that lie ahead of a time: the clock was set back since they were written, and what seems to
 * come would be newer than everything that is learnt from now on.
 */
function notAhead({ windows, limits, read_at: readAt, ...entry }: UsageEntry, at: string): UsageEntry {
  const earlier = (time: string) => (isBefore(at, time) ? at : time);
  return {
    ...entry,
    read_at: readAt === null ? null : earlier(readAt),
    windows: windows.map((window) =>
      window.read_at === undefined ? window : { ...window, read_at: earlier(window.read_at) },
    ),
    ...(limits && { limits: limits.map((limit) => ({ ...limit, at: earlier(limit.at) })) }),
  };
}

/**
 * The entry after a run of ours that ended at a time: what its stream said of windows, each of which counts by
 * itself, and the limit it met.
 */
export function afterRun(
  last: UsageEntry | undefined,
  run: {
    windows?: readonly UsageWindow[] | undefined;
    limit?: Limit | undefined;
    model?: string | undefined;
  },
  at: string,
): UsageEntry {
  const before: UsageEntry = last ?? { status: 'unknown', asked_at: at, read_at: null, windows: [] };
  const told = cleanWindows(run.windows ?? []).filter((window) => {
    const known = before.windows.find(({ id }) => id === window.id);
    const readAt = known?.read_at ?? before.read_at;
    return known === undefined || readAt === null || !isBefore(at, readAt);
  });
  const kept = before.windows.filter(({ id }) => !told.some((window) => window.id === id));
  const windows = kept.length === 0 ? told : [...kept, ...told.map((window) => ({ ...window, read_at: at }))];
  const limits = (before.limits ?? []).filter(
    (limit) => isBefore(at, limit.at) || !isContradicted(limit, before.windows, told),
  );
  if (run.limit !== undefined)
    limits.push({ ...cleanLimit(run.limit), at, ...(run.model !== undefined && { run_model: run.model }) });
  const { reason: _reason, limits: _limits, ...rest } = before;
  return {
    ...(told.length > 0 ? { ...rest, status: 'ok' } : { ...before, limits: undefined }),
    read_at: kept.length === 0 && told.length > 0 ? at : before.read_at,
    windows,
    ...(limits.length > 0 && { limits }),
  };
}

const never = '1970-01-01T00:00:00.000Z';

/** The entry of an account of which only the login was learnt, which contacts nobody. */
export function withIdentity(last: UsageEntry | undefined, identity: string | undefined): UsageEntry {
  const before: UsageEntry = last ?? { status: 'unknown', asked_at: never, read_at: null, windows: [] };
  return { ...before, identity: identity ?? before.identity };
}

/** Whether nobody was asked about the account yet. */
export function isUnasked({ asked_at }: UsageEntry): boolean {
  return asked_at === never;
}

/** Numbers between 0 and 100 and times that are times, each window once; what has none is left out. */
export function cleanWindows(windows: readonly UsageWindow[]): UsageWindow[] {
  const byId = new Map<string, UsageWindow>();
  for (const { read_at: _, ...window } of windows) {
    if (!Number.isFinite(window.used_pct) || !Number.isFinite(window.free_pct)) continue;
    const reset = window.resets_at === null ? NaN : Date.parse(window.resets_at);
    byId.set(window.id, {
      ...window,
      seconds: Number.isFinite(window.seconds) ? window.seconds : 0,
      used_pct: inPercent(window.used_pct),
      free_pct: inPercent(window.free_pct),
      resets_at: Number.isNaN(reset) ? null : window.resets_at,
    });
  }
  return [...byId.values()];
}

/** Whether newer windows show room where the limit was, in other numbers than before. */
function isContradicted(limit: Limit, before: readonly UsageWindow[], now: readonly UsageWindow[]): boolean {
  const named = now.filter(({ id }) => id === limit.window);
  const whole = limit.window === undefined || (named.length === 0 && limit.resets_at === undefined);
  const meant = whole ? now.filter(({ model }) => model === undefined) : named;
  const changed = meant.some((window) => {
    const old = before.find(({ id }) => id === window.id);
    return old?.used_pct !== window.used_pct || old.resets_at !== window.resets_at;
  });
  return changed && meant.every(({ free_pct }) => free_pct >= 1);
}

function cleanLimit({ window, resets_at, one_model }: Limit): Limit {
  return {
    ...(one_model && { one_model }),
    ...(window !== undefined && { window }),
    ...(resets_at !== undefined && !Number.isNaN(Date.parse(resets_at)) && { resets_at }),
  };
}

function inPercent(value: number): number {
  return Math.min(100, Math.max(0, value));
}

function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}
