import { formatAccount, normalAccount } from './account.ts';
import { applies } from './headroomOf.ts';
import { limitCounts } from './limitCounts.ts';
import type { PickRequest } from './pickAccounts.ts';
import { describeLimit } from './toReading.ts';
import type { AccountReading } from './usage.ts';

/**
 * Why an account is out whatever its windows say; a reset is told only where waiting for it helps. `taken` holds
 * accounts as `normalAccount` writes them.
 */
export function refuseAccount(
  reading: AccountReading,
  taken: ReadonlySet<string>,
  request: PickRequest,
  now: string,
): { reason: string; resets_at?: string } | undefined {
  if (reading.excluded === true) return { reason: 'excluded by your settings' };
  const limit = reading.limits?.find((each) => limitCounts(each, request.model));
  if (limit !== undefined && reading.status !== 'not_logged_in') {
    const { resets_at: reset } = limit;
    return { reason: describeLimit(limit), ...(reset === undefined ? {} : { resets_at: reset }) };
  }
  if (reading.status !== 'ok') {
    const status = reading.status.replaceAll('_', ' ');
    const reason = reading.reason === undefined ? status : `${status}: ${reading.reason}`;
    const reset = reading.status === 'rate_limited' ? limitEnd(reading, request.model, now) : null;
    return { reason, ...(reset === null ? {} : { resets_at: reset }) };
  }
  if (taken.has(normalAccount(formatAccount(reading)))) return { reason: 'leased by a running agent' };
  const age = Math.floor((Date.parse(now) - Date.parse(reading.read_at ?? '')) / 1000);
  if (request.max_age_s !== undefined && age > request.max_age_s) {
    return { reason: `read ${age} s ago, older than ${request.max_age_s} s` };
  }
  return undefined;
}

/** Whether `@profile` of any kind, or `kind/@profile`, means an account. */
export function isMeantBy({ kind, profile }: AccountReading, text: string): boolean {
  const meant = normalAccount(text);
  return meant === normalAccount(formatAccount({ kind, profile })) || meant === normalAccount(profile);
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
