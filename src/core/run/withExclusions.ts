import { normalAccount } from '../accounts/account.ts';
import type { AccountFact } from './facts.ts';
import { loginOf } from './loginOf.ts';
import type { Exclusion } from './runState.ts';

/** An account as one job sees it: `excluded` says that its reset would not bring it back for that job. */
export interface SeenAccount extends AccountFact {
  excluded?: true;
}

/** The accounts without those that are excluded, each of which says why. */
export function withExclusions(
  accounts: readonly AccountFact[],
  exclusions: readonly Exclusion[],
): SeenAccount[] {
  if (exclusions.length === 0) return [...accounts];
  const meant = exclusions.map((each) => {
    const named = accounts.find(({ account }) => isSame(account, each.account));
    return { ...each, identity: named && loginOf(named) };
  });
  return accounts.map((fact): SeenAccount => {
    const found = meant.find(
      ({ account, login, identity }) =>
        isSame(account, fact.account) || (login === true && identity === loginOf(fact)),
    );
    if (found === undefined) return fact;
    const { models: _, ...rest } = fact;
    const lasts = found.resets_at === undefined && { excluded: true as const };
    const out = { ...rest, ...lasts, qualifies: false, unknown: false, headroom_pct: null };
    return fact.qualifies || fact.unknown
      ? { ...out, resets_at: found.resets_at ?? null, reason: found.message }
      : { ...out, resets_at: fact.resets_at ?? found.resets_at ?? null };
  });
}

function isSame(one: string, other: string): boolean {
  return normalAccount(one) === normalAccount(other);
}
