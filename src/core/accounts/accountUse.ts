import { formatAccount, normalAccount } from './account.ts';
import { accountSetting, type AccountSetting, type PersonSettings } from './personSettings.ts';
import type { AccountReading } from './usage.ts';

/** The writers that hold an account, and how many may. */
export interface AccountUse {
  writers: number;
  slots: number;
  /** A writer began so lately that the next one has to wait: together they would race for the login's tokens. */
  isResting?: boolean;
}

/** A writer's hold on an account. */
export interface Hold {
  /** `kind/@profile`. */
  account: string;
  /** Salted hash of the vendor's name of the login. */
  identity?: string | undefined;
  /** `read` for a run that only reads: it shares the account. */
  mode?: 'write' | 'read' | undefined;
  /** RFC 3339. */
  taken_at?: string | undefined;
}

/** Time between the starts of two writers under one login, in milliseconds. */
const staggerMs = 3000;

/** Whether a hold is on this account, or on another profile of the same login. */
export function isSameLogin(one: Hold, other: Hold): boolean {
  if (one.identity !== undefined && one.identity === other.identity) return true;
  return normalAccount(one.account) === normalAccount(other.account);
}

/**
 * What holds for the login of an account, under whatever name the person set it: one of its profiles excluded is all of
 * them, and more than one writer under one name is so under each. `profiles` are those that may be of the same login.
 */
export function loginSetting(
  settings: Pick<PersonSettings, 'accounts'>,
  login: Hold,
  profiles: readonly Hold[],
): AccountSetting {
  const same = [login, ...profiles.filter((each) => isSameLogin(each, login))];
  const said = same.map(({ account }) => accountSetting(settings, account));
  return {
    slots: Math.max(...said.map(({ slots }) => slots)),
    exclude: said.some(({ exclude }) => exclude),
  };
}

/** How one account is used; `nowMs` are milliseconds since 1970. */
export function useOf(
  account: Hold,
  holds: readonly Hold[],
  slots: number,
  nowMs: number,
): Required<AccountUse> {
  const writers = holds.filter((hold) => hold.mode !== 'read' && isSameLogin(hold, account));
  const isResting = writers.some(({ taken_at = '' }) => {
    const age = nowMs - Date.parse(taken_at);
    return age >= 0 && age < staggerMs;
  });
  return { writers: writers.length, slots, isResting };
}

/** How every account is used, by `kind/@profile`. */
export function accountUse(
  readings: readonly AccountReading[],
  holds: readonly Hold[],
  settings: Pick<PersonSettings, 'accounts'>,
  nowMs: number,
): Map<string, AccountUse> {
  const logins = readings.map((reading): Hold => {
    return { account: formatAccount(reading), identity: reading.identity };
  });
  return new Map(
    logins.map((login) => {
      const { slots } = loginSetting(settings, login, logins);
      return [login.account, useOf(login, holds, slots, nowMs)];
    }),
  );
}

/** Whether no writer may take it now. */
export function isFull({ writers, slots, isResting = false }: AccountUse): boolean {
  return writers >= slots || isResting;
}

/** The accounts that no writer may take now. */
export function fullAccounts(use: ReadonlyMap<string, AccountUse>): Set<string> {
  return new Set([...use].filter(([, each]) => isFull(each)).map(([account]) => account));
}
