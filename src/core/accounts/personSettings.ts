import type { Permissions } from '../safety/posture.ts';
import { normalAccount } from './account.ts';

/** What the person set for one account. */
export interface AccountSetting {
  /** How many writers it may have at once. */
  slots: number;
  /** Never picked, and not usable by a plan that names it. */
  exclude: boolean;
}

/** The person's own settings, for this machine; never those of a repository. */
export interface PersonSettings {
  /** `ask` where that is said at any place that is read. */
  permissions: Permissions;
  /** The places that say `ask`, as a person knows them. */
  askedBy: readonly string[];
  /** By `kind/@profile` as `normalAccount` writes it; ask by `accountSetting`. */
  accounts: ReadonlyMap<string, AccountSetting>;
  /** `@name` by kind; ask by `defaultProfile`. */
  defaultProfiles: ReadonlyMap<string, string>;
  /** Variables that no agent gets, by name or with `*` for any characters. */
  denied: readonly string[];
  /** The raw value of `kinds:`; undefined without one. */
  kinds: unknown;
}

/** What holds for an account, whether or not the person set anything. */
export function accountSetting(settings: Pick<PersonSettings, 'accounts'>, account: string): AccountSetting {
  return settings.accounts.get(normalAccount(account)) ?? { slots: 1, exclude: false };
}

/** The profile that stands for a kind when none is named; undefined: the CLI's own home. */
export function defaultProfile(
  settings: Pick<PersonSettings, 'defaultProfiles'>,
  kind: string,
): string | undefined {
  return settings.defaultProfiles.get(kind) ?? settings.defaultProfiles.get(variableWord(kind));
}

/** A kind as the name of a variable has it, in lower case. */
function variableWord(kind: string): string {
  return kind.toLowerCase().replace(/[^a-z0-9]/g, '_');
}
