import { formatAccount } from '../../core/accounts/account.ts';
import { accountSetting } from '../../core/accounts/personSettings.ts';
import type { Profile } from '../agents/agentKind.ts';
import type { UsageKind } from '../agents/usageKinds.ts';
import { readPersonSettings } from './personSettings.ts';
import { listProfiles } from './profiles.ts';

/** An account of this machine. */
export interface Account {
  /** `kind/@profile`. */
  name: string;
  kind: UsageKind;
  profile: Profile;
  /** The person does not want it used. */
  excluded: boolean;
}

/** Which accounts are meant: all that are not left out. */
export interface Wanted {
  /** Only accounts of these kinds. */
  kinds?: readonly string[];
  /** Only these, as `kind/@profile`. */
  accounts?: readonly string[];
}

/** The accounts of this machine, or of some kinds, in the order of the kinds and then of the names. */
export async function listAccounts(
  kinds: ReadonlyMap<string, UsageKind>,
  environment: Readonly<Record<string, string | undefined>>,
  only?: readonly string[],
): Promise<Account[]> {
  const settings = await readPersonSettings(environment);
  const meant = [...kinds.values()].filter(({ id }) => only?.includes(id) ?? true);
  const lists = await Promise.all(
    meant.map(async (kind) => {
      const profiles = await listProfiles(kind, environment);
      return profiles.map((profile): Account => {
        const name = formatAccount({ kind: kind.id, profile: profile.name });
        return { name, kind, profile, excluded: accountSetting(settings, name).exclude };
      });
    }),
  );
  return lists.flat();
}
