import { formatAccount, normalAccount } from './account.ts';
import { applies, headroomOf, isWeekly, weeklyReserve } from './headroomOf.ts';
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

interface Candidate {
  account: ChosenAccount;
  weeklyReset: number;
}

/**
 * The pick policy of design chapter 3: best headroom first; ties in whole points go to the account whose
 * weekly window resets first, then by name. `leased` holds accounts as `kind/@profile`; names are compared
 * without case. Readings name each account once. The order of the readings does not matter.
 */
export function pickAccounts(
  readings: AccountReading[],
  leased: ReadonlySet<string>,
  request: PickRequest,
  now: string,
): PickAnswer {
  const taken = new Set([...leased].map(normalAccount));
  const excluded = new Set(request.exclude?.map(normalAccount));
  const candidates: Candidate[] = [];
  const rejected: RejectedAccount[] = [];
  for (const reading of readings) {
    if (request.kind !== undefined && reading.kind !== request.kind) continue;
    const { kind, profile } = reading;
    const refusal = refusalOf(reading, taken, excluded, request, now);
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
      weeklyReset: weeklyResetOf(reading, request.model),
    });
  }
  const count = request.count ?? 1;
  return {
    ...(request.kind === undefined ? {} : { kind: request.kind }),
    ...(request.model === undefined ? {} : { model: request.model }),
    reserve_pct: request.reserve_pct ?? weeklyReserve,
    count,
    chosen: candidates
      .toSorted(compareCandidates)
      .slice(0, Math.max(0, count))
      .map(({ account }) => account),
    rejected: rejected.toSorted((a, b) => compareText(formatAccount(a), formatAccount(b))),
    next_reset_at: soonest(rejected.flatMap(({ resets_at }) => resets_at ?? [])),
  };
}

/** Exclusions of a request that name none of the accounts it is about: more likely a slip than meant so. */
export function unknownExclusions(readings: readonly AccountReading[], request: PickRequest): string[] {
  const meant = readings.filter(({ kind }) => request.kind === undefined || kind === request.kind);
  return (request.exclude ?? []).filter((exclusion) => {
    const excluded = new Set([normalAccount(exclusion)]);
    return !meant.some((reading) => isExcluded(reading, excluded));
  });
}

/** Why an account is out whatever its windows say; a reset is told only where waiting for it helps. */
function refusalOf(
  reading: AccountReading,
  taken: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
  request: PickRequest,
  now: string,
): { reason: string; resets_at?: string } | undefined {
  const name = normalAccount(formatAccount(reading));
  if (isExcluded(reading, excluded)) return { reason: 'excluded' };
  if (reading.status !== 'ok') {
    const status = reading.status.replaceAll('_', ' ');
    const reason = reading.reason === undefined ? status : `${status}: ${reading.reason}`;
    const reset = reading.status === 'rate_limited' ? limitEnd(reading, request.model, now) : null;
    return { reason, ...(reset === null ? {} : { resets_at: reset }) };
  }
  if (taken.has(name)) return { reason: 'leased by a running agent' };
  const age = Math.floor((Date.parse(now) - Date.parse(reading.read_at)) / 1000);
  if (request.max_age_s !== undefined && age > request.max_age_s) {
    return { reason: `read ${age} s ago, older than ${request.max_age_s} s` };
  }
  return undefined;
}

function isExcluded(reading: AccountReading, excluded: ReadonlySet<string>): boolean {
  const { kind, profile } = reading;
  return (
    excluded.has(normalAccount(formatAccount({ kind, profile }))) || excluded.has(normalAccount(profile))
  );
}

/** When a limit ends: with the last of the used-up windows, or, if none is, with the next reset. */
function limitEnd(reading: AccountReading, model: string | undefined, now: string): string | null {
  const ahead = reading.windows.filter(
    ({ resets_at }) => resets_at !== null && Date.parse(resets_at) > Date.parse(now),
  );
  const full = ahead.filter((window) => window.free_pct <= 0 && applies(window, model));
  const resets = (full.length > 0 ? full : ahead).flatMap(({ resets_at }) => resets_at ?? []);
  const sorted = resets.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return (full.length > 0 ? sorted.at(-1) : sorted[0]) ?? null;
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
