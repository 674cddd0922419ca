import type { AccountFact } from './facts.ts';

/** What tells accounts apart: two profiles of one login are one. */
export function loginOf({ account, identity }: Pick<AccountFact, 'account' | 'identity'>): string {
  return identity ?? account;
}
