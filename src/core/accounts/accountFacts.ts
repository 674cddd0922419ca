import type { AccountFact } from '../run/facts.ts';
import { formatAccount } from './account.ts';
import { pickAccounts } from './pickAccounts.ts';
import type { AccountReading } from './usage.ts';

/** All accounts as a decision sees them, best first; `leased` only marks them busy. */
export function accountFacts(
  readings: AccountReading[],
  leased: ReadonlySet<string>,
  now: string,
): AccountFact[] {
  const answer = pickAccounts(readings, new Set(), { count: readings.length }, now);
  const statuses = new Map(readings.map((reading) => [formatAccount(reading), reading.status]));
  const common = (each: { kind: string; profile: string }) => {
    const account = formatAccount(each);
    return {
      account,
      kind: each.kind,
      busy: leased.has(account),
      unknown: statuses.get(account) === 'unknown',
    };
  };
  return [
    ...answer.chosen.map((each) => ({
      ...common(each),
      headroom_pct: each.headroom_pct,
      resets_at: each.resets_at,
      qualifies: true,
    })),
    ...answer.rejected.map((each) => ({
      ...common(each),
      headroom_pct: null,
      resets_at: each.resets_at ?? null,
      qualifies: false,
      reason: each.reason,
    })),
  ];
}
