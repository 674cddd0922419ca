import type { AccountFact } from '../run/facts.ts';
import { formatAccount } from './account.ts';
import type { AccountReading } from './usage.ts';

/** The accounts that have to be read before anything is decided on them. */
export function staleAccounts(
  readings: readonly AccountReading[],
  { maxAgeS, now }: { maxAgeS: number; now: string },
): Set<string> {
  const at = Date.parse(now);
  const isOld = (time: string | null | undefined) => !(at - Date.parse(time ?? '') <= maxAgeS * 1000);
  const isOver = (reset: string | null, asked = '') =>
    reset !== null && Date.parse(reset) <= at && !(Date.parse(asked) >= Date.parse(reset));
  const stale = readings.filter(
    ({ excluded, asked_at, read_at, windows }) =>
      excluded !== true &&
      ((isOld(asked_at) && isOld(read_at)) || windows.some(({ resets_at }) => isOver(resets_at, asked_at))),
  );
  return new Set(stale.map(formatAccount));
}

/**
 * The facts before those accounts are read: one that does not qualify for want of knowledge, and not because of a
 * limit whose end is known, may be chosen after all, behind those of which more is known.
 */
export function withHope(facts: readonly AccountFact[], stale: ReadonlySet<string>): AccountFact[] {
  const hopeful = (fact: AccountFact) =>
    stale.has(fact.account) && !fact.qualifies && fact.resets_at === null;
  return [
    ...facts.filter((fact) => fact.qualifies),
    ...facts.filter(hopeful).map(({ models: _, ...fact }): AccountFact => ({ ...fact, qualifies: true })),
    ...facts.filter((fact) => !fact.qualifies && !hopeful(fact)),
  ];
}
