import { normalAccount } from '../../core/accounts/account.ts';
import { loginSetting } from '../../core/accounts/accountUse.ts';
import type { AccountSetting } from '../../core/accounts/personSettings.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { readPersonSettings } from './personSettings.ts';
import { readUsageCache } from './usageCache.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The login of an account as it was last read, and what the person set for it. */
export interface KnownLogin extends AccountSetting {
  /** Salted hash of who it belongs to. */
  identity?: string;
}

/** Contacts nobody. @throws AgentKitError as `readPersonSettings` */
export async function knownLogin(account: string, environment: Environment): Promise<KnownLogin> {
  const entries = await readUsageCache(stateFiles(userFolders(environment).state).usageCache);
  const profiles = [...entries].map(([name, { identity }]) => ({ account: name, identity }));
  const known = profiles.find((each) => normalAccount(each.account) === normalAccount(account));
  const login = { account, identity: known?.identity };
  return {
    ...loginSetting(await readPersonSettings(environment), login, profiles),
    ...(login.identity !== undefined && { identity: login.identity }),
  };
}

/**
 * Stops at an account that the person excluded, under this or another profile of its login.
 * @throws AgentKitError `refused`
 */
export async function requireIncluded(account: string, environment: Environment): Promise<KnownLogin> {
  const login = await knownLogin(account, environment);
  if (!login.exclude) return login;
  throw new AgentKitError(
    'refused',
    `${account} is excluded by your settings (exclude: true, for it or for another profile of its login); name another account.`,
  );
}
