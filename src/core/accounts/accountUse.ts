import { formatAccount, normalAccount } from './account.ts';
import { accountSetting, type PersonSettings } from './personSettings.ts';
import type { AccountReading } from './usage.ts';

/** The writers that hold an account, and how many may. */
export interface AccountUse {
  writers: number;
  slots: number;
}

/** A writer's hold on an account. */
export interface Hold {
  /** `kind/@profile`. */
  account: string;
  /** Salted hash of the vendor's name of the login. */
  identity?: string | undefined;
  /** `read` for a run that only reads: it shares the account. */
  mode?: 'write' | 'read' | undefined;
}

/** Whether a hold is on this account, or on another profile of the same login. */
export function isSameLogin(one: Hold, other: Hold): boolean {
  if (one.identity !== undefined && one.identity === other.identity) return true;
  return normalAccount(one.account) === normalAccount(other.account);
}

/** How every account is used, by `kind/@profile`. */
export function accountUse(
  readings: readonly AccountReading[],
  holds: readonly Hold[],
  settings: Pick<PersonSettings, 'accounts'>,
): Map<string, AccountUse> {
  const writing = holds.filter(({ mode }) => mode !== 'read');
  return new Map(
    readings.map((reading) => {
      const account = formatAccount(reading);
      const writers = writing.filter((hold) => isSameLogin(hold, { account, identity: reading.identity }));
      return [account, { writers: writers.length, slots: accountSetting(settings, account).slots }];
    }),
  );
}

/** The accounts that have no place for another writer. */
export function fullAccounts(use: ReadonlyMap<string, AccountUse>): Set<string> {
  return new Set([...use].filter(([, { writers, slots }]) => writers >= slots).map(([account]) => account));
}
