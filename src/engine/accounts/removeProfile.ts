import { randomBytes } from 'node:crypto';
import { realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { formatAccount, normalAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { userFolders } from '../store/userFolders.ts';
import { changeLeases } from './leaseFile.ts';
import { findProfile } from './profiles.ts';
import { kindFolder } from './scanProfiles.ts';
import { changeUsageCache } from './usageCache.ts';

/**
 * Deletes the folder of a profile, with its login, and nothing else: never the CLI's own home, never through a link.
 * The account at the vendor stays as it is. Whoever calls has asked the person.
 * @throws AgentKitError `refused` for the CLI's own home, a link, or an account in use; as `findProfile`
 */
export async function removeProfile(
  kind: AgentKind,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Profile> {
  const profile = await findProfile(kind, name, environment);
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  const { folder } = profile;
  if (folder === null)
    throw new AgentKitError('refused', `${account} is the CLI's own home; it is not ours to delete.`);
  const home = join(await realpath(await kindFolder(kind, environment)), basename(folder));
  if ((await realpath(folder)) !== home)
    throw new AgentKitError('refused', `${folder} leads elsewhere; only a folder of its own is deleted.`);
  // Nobody may take the account in between.
  const gone = await changeLeases(environment, async (leases) => {
    const held = leases.find((lease) => normalAccount(lease.account) === normalAccount(account));
    if (held !== undefined) {
      const since = `since ${held.taken_at}`;
      throw new AgentKitError('refused', `${account} is in use by ${held.owner} ${since}; stop that first.`);
    }
    const away = join(dirname(folder), `.removed-${randomBytes(8).toString('hex')}`);
    await rename(folder, away);
    return { leases, answer: away };
  });
  await rm(gone, { recursive: true, maxRetries: 3 });
  await changeUsageCache(userFolders(environment).state, (entries) => entries.delete(account));
  return profile;
}
