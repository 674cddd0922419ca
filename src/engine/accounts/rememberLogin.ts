import { formatAccount, normalAccount } from '../../core/accounts/account.ts';
import { withIdentity } from '../../core/accounts/usageEntry.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { userFolders } from '../store/userFolders.ts';
import { identityHash } from './identityHash.ts';
import { knownIdentity } from './knownIdentity.ts';
import { changeUsageCache } from './usageCache.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Keeps the salted hash of whose login an account is, where nobody knew it; the word of a reading stays. */
export async function rememberLogin(
  account: string,
  identity: string,
  environment: Environment,
): Promise<void> {
  if ((await knownIdentity(account, environment)) !== undefined) return;
  await changeUsageCache(userFolders(environment).state, (entries) => {
    const name =
      [...entries.keys()].find((each) => normalAccount(each) === normalAccount(account)) ?? account;
    const entry = entries.get(name);
    if (entry?.identity === undefined) entries.set(name, withIdentity(entry, identity));
  });
}

/** Asks the CLI, and no vendor, whose login an account is, unless that is known; a CLI that does not say is none's. */
export async function learnLogin(
  kind: Pick<AgentKind, 'id' | 'probe'>,
  profile: Profile,
  environment: Environment,
): Promise<void> {
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  if ((await knownIdentity(account, environment)) !== undefined) return;
  const identity = (await kind.probe?.(profile, environment))?.identity;
  if (identity === undefined) return;
  await rememberLogin(account, await identityHash(environment, kind.id, identity), environment);
}
