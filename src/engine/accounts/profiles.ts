import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isProfileName } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { userFolders } from '../store/userFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type KindOfProfiles = Pick<AgentKind, 'id' | 'hasDefaultProfile'>;

/** The CLI's own home; both names mean it. */
const defaultNames = ['@default', '@1'];

/** The profiles of a kind, by name; what is no real folder with a proper name is not one. */
export async function listProfiles(kind: KindOfProfiles, environment: Environment): Promise<Profile[]> {
  const own: Profile[] = kind.hasDefaultProfile ? [{ kind: kind.id, name: '@default', folder: null }] : [];
  const root = kindFolder(kind, environment);
  const entries = existsSync(root) ? await readdir(root, { withFileTypes: true }) : [];
  const named = entries
    .filter((entry) => entry.isDirectory() && isFreeName(`@${entry.name}`))
    .map((entry) => ({ kind: kind.id, name: `@${entry.name}`, folder: join(root, entry.name) }));
  return [...own, ...named.sort((one, other) => (one.name < other.name ? -1 : 1))];
}

/**
 * One profile by its name, compared without case.
 * @throws AgentKitError `invalid_input` for no proper name, `not_found`, `refused` for a link instead of a folder
 */
export async function findProfile(
  kind: KindOfProfiles,
  name: string,
  environment: Environment,
): Promise<Profile> {
  requireName(name);
  const wanted = (defaultNames.includes(name.toLowerCase()) ? '@default' : name).toLowerCase();
  const profiles = await listProfiles(kind, environment);
  const found = profiles.find((profile) => profile.name.toLowerCase() === wanted);
  if (found) {
    return found;
  }
  const folder = join(kindFolder(kind, environment), name.slice(1));
  if ((await lstat(folder).catch(() => null))?.isSymbolicLink()) {
    throw new AgentKitError('refused', `${folder} is a link; a profile must be a folder of its own`);
  }
  throw new AgentKitError(
    'not_found',
    `There is no account ${kind.id}/${name}; make it with: ak profiles add ${kind.id} ${name}`,
  );
}

/**
 * Makes the folder of a new profile, for its owner alone.
 * @throws AgentKitError `invalid_input` for a name that is not proper or taken by the CLI's own home, `conflict` when
 *   a profile has it, whatever its case
 */
export async function addProfile(kind: AgentKind, name: string, environment: Environment): Promise<Profile> {
  requireName(name);
  if (!isFreeName(name)) {
    throw new AgentKitError('invalid_input', `${name} means the CLI's own home; choose another name`);
  }
  const taken = (await listProfiles(kind, environment)).find(
    (profile) => profile.name.toLowerCase() === name.toLowerCase(),
  );
  const folder = join(kindFolder(kind, environment), name.slice(1));
  await mkdir(kindFolder(kind, environment), { recursive: true, mode: 0o700 });
  const made = taken === undefined && (await mkdir(folder, { mode: 0o700 }).then(() => true, ifThere));
  if (!made) {
    throw new AgentKitError('conflict', `${taken?.folder ?? folder} is there already; choose another name`);
  }
  await kind.prepareProfile?.(folder);
  return { kind: kind.id, name, folder };
}

function ifThere(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') {
    return false;
  }
  throw error;
}

function requireName(name: string): void {
  if (!isProfileName(name)) {
    throw new AgentKitError(
      'invalid_input',
      `"${name}" is no name of a profile: @ and 1 to 32 letters, digits, ".", "_" or "-", not starting with "."`,
    );
  }
}

function isFreeName(name: string): boolean {
  return isProfileName(name) && !defaultNames.includes(name.toLowerCase());
}

function kindFolder(kind: KindOfProfiles, environment: Environment): string {
  return join(userFolders(environment).profiles, kind.id);
}
