import { normalAccount } from '../../core/accounts/account.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { readUsageCache } from './usageCache.ts';

/** Salted hash of who an account's login belongs to, as it was last read; contacts nobody. */
export async function knownIdentity(
  account: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const entries = await readUsageCache(stateFiles(userFolders(environment).state).usageCache);
  return [...entries].find(([name]) => normalAccount(name) === normalAccount(account))?.[1].identity;
}
