import { formatAccount, normalAccount } from './account.ts';
import { applies, headroomOf, isWeekly, weeklyReserve } from './headroomOf.ts';
import { isMeantBy, refuseAccount } from './refuseAccount.ts';
import type { AccountReading } from './usage.ts';

export interface PickRequest {
  kind?: string;
  /** Default 1. */
  count?: number;
  model?: string;
  need?: { window: string; pct: number }[];
  /** `@profile` of any kind, or `kind/@profile`. */
  exclude?: string[];
  reserve_pct?: number;
  /** Oldest reading to decide on, in seconds. Default: any age. */
  max_age_s?: number;
}

export interface ChosenAccount {
  kind: string;
  profile: string;
  headroom_pct: number;
  /** Null for an account without windows. */
  binding_window: string | null;
  resets_at: string | null;
  default?: boolean;
}

export interface RejectedAccount {
  kind: string;
  profile: string;
  reason: string;
  resets_at?: string;
}

/** pick-v1 (design chapter 3). Accounts that qualify beyond `count` are in neither list. */
export interface PickAnswer {
  kind?: string;
  model?: string;
  /** Kept free in weekly windows, in percent. */
  reserve_pct: number;
  count: number;
  chosen: ChosenAccount[];
  rejected: RejectedAccount[];
  /** Soonest known reset among the rejected. */
  next_reset_at: string | null;
}

/** An account that qualifies. */
export interface Candidate {
  account: ChosenAccount;
  identity: string | undefined;
  weeklyReset: number;
}

/**
 * The pick policy of design chapter 3: best headroom first; ties in whole points go to the account whose
 * weekly window resets first, then by name. `leased` holds accounts as `kind/@profile`; names are compared
 * without case. Readings name each account once. The order of the readings does not matter. Of two profiles
 * of one login only the better one is chosen.
 */
export function pickAccounts(
  readings: readonly AccountReading[],
  leased: ReadonlySet<string>,
  request: PickRequest,
  now: string,
): PickAnswer {
  const ranked = rankAccounts(readings, leased, request, now);
  const count = request.count ?? 1;
  const rejected = [...ranked.rejected];
  const chosen = ranked.candidates.filter(({ account, identity }, index) => {
    const better = ranked.candidates.findIndex(
      (each) => identity !== undefined && each.identity === identity,
    );
    const twin = better < 0 || better === index ? undefined : ranked.candidates[better];
    if (twin === undefined) return true;
    const { kind, profile } = account;
    rejected.push({ kind, profile, reason: `the same login as ${formatAccount(twin.account)}` });
    return false;
  });
  return {
    ...(request.kind === undefined ? {} : { kind: request.kind }),
    ...(request.model === undefined ? {} : { model: request.model }),
    reserve_pct: request.reserve_pct ?? weeklyReserve,
    count,
    chosen: chosen.slice(0, Math.max(0, count)).map(({ account }) => account),
    rejected: rejected.toSorted((a, b) => compareText(formatAccount(a), formatAccount(b))),
    next_reset_at: soonest(rejected.flatMap(({ resets_at }) => resets_at ?? [])),
  };
}

/** Every account that the request is about: those that qualify, best first, and why the others do not. */
export function rankAccounts(
  readings: readonly AccountReading[],
  leased: ReadonlySet<string>,
  request: PickRequest,
  now: string,
): { candidates: Candidate[]; rejected: RejectedAccount[] } {
  const taken = new Set([...leased].map(normalAccount));
  const excluded = exclusionsOf(readings, request);
  const candidates: Candidate[] = [];
  const rejected: RejectedAccount[] = [];
  for (const reading of readings) {
    if (request.kind !== undefined && reading.kind !== request.kind) continue;
    const { kind, profile } = reading;
    const refusal = excluded(reading) ?? refuseAccount(reading, taken, request, now);
    if (refusal) {
      rejected.push({ kind, profile, ...refusal });
      continue;
    }
    const headroom = headroomOf(reading, { ...request, now });
    if (!headroom.qualifies) {
      const { reason, resets_at } = headroom;
      rejected.push({ kind, profile, reason, ...(resets_at === undefined ? {} : { resets_at }) });
      continue;
    }
    const { headroom_pct, binding_window, resets_at } = headroom;
    candidates.push({
      account: {
        kind,
        profile,
        headroom_pct,
        binding_window,
        resets_at,
        ...(reading.default === undefined ? {} : { default: reading.default }),
      },
      identity: reading.identity,
      weeklyReset: weeklyResetOf(reading, request.model),
    });
  }
  return { candidates: candidates.toSorted(compareCandidates), rejected };
}

/** Why the request excludes an account, if it does: it is named, or another profile of its login is. */
function exclusionsOf(
  readings: readonly AccountReading[],
  { exclude = [] }: PickRequest,
): (reading: AccountReading) => { reason: string } | undefined {
  const named = readings.filter((reading) => exclude.some((exclusion) => isMeantBy(reading, exclusion)));
  return (reading) => {
    if (named.includes(reading)) return { reason: 'excluded' };
    const { identity } = reading;
    const twin = identity === undefined ? undefined : named.find((each) => each.identity === identity);
    return twin && { reason: `excluded: the same login as ${formatAccount(twin)}` };
  };
}

/** Exclusions of a request that name none of the accounts it is about: more likely a slip than meant so. */
export function unknownExclusions(readings: readonly AccountReading[], request: PickRequest): string[] {
  const meant = readings.filter(({ kind }) => request.kind === undefined || kind === request.kind);
  return (request.exclude ?? []).filter(
    (exclusion) => !meant.some((reading) => isMeantBy(reading, exclusion)),
  );
}

function compareCandidates(a: Candidate, b: Candidate): number {
  const points = Math.floor(b.account.headroom_pct) - Math.floor(a.account.headroom_pct);
  if (points !== 0) return points;
  if (a.weeklyReset !== b.weeklyReset) return a.weeklyReset < b.weeklyReset ? -1 : 1;
  return compareText(formatAccount(a.account), formatAccount(b.account));
}

/** Milliseconds since 1970; an account without a running weekly window comes last. */
function weeklyResetOf(reading: AccountReading, model: string | undefined): number {
  const weekly = reading.windows.filter((window) => isWeekly(window) && applies(window, model));
  return Math.min(...weekly.flatMap(({ resets_at }) => (resets_at === null ? [] : Date.parse(resets_at))));
}

function soonest(times: string[]): string | null {
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

/** By code units, so that the order is the same under every locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
