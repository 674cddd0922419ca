import type { AccountReading } from '../../core/accounts/usage.ts';

/** An account as the views show it. */
export interface AccountView {
  kind: string;
  /** With its `@`. */
  profile: string;
  /** `kind/@profile`. */
  name: string;
  /** Where its login lies; null for the CLI's own home. */
  folder: string | null;
  /** Whether its kind has a login, and a screen of its own, for a terminal. */
  logsIn: boolean;
  hasScreen: boolean;
  /** What is known of it. */
  reading: AccountReading;
  /** Who uses it now, as `<run>/<lane>`, `run/<id>` or `terminal/<id>`. */
  heldBy: readonly string[];
  /** Other accounts that are the same login of the vendor. */
  sameLogin: readonly string[];
  /** What its CLI said after a login in this window, which is newer than the reading. */
  login?: LoginNote;
}

export interface LoginNote {
  status: 'ok' | 'not_logged_in' | 'unknown';
  /** What is wrong, and the command that cures it. */
  problem?: string;
}

/** Names of accounts that are different; undefined when accounts came or went. */
export function changedAccounts(
  before: readonly AccountView[] | undefined,
  after: readonly AccountView[],
): ReadonlySet<string> | undefined {
  const old = new Map(before?.map((account) => [account.name, JSON.stringify(account)]));
  if (before?.length !== after.length || after.some(({ name }) => !old.has(name))) return undefined;
  return new Set(
    after.filter((account) => old.get(account.name) !== JSON.stringify(account)).map(({ name }) => name),
  );
}
