import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isProfileName } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { defaultNames, isFreeName, kindFolder, scanProfiles, type KindOfProfiles } from './scanProfiles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The profiles of a kind, by name; what is no folder of its own with a proper name is not one. */
export async function listProfiles(kind: KindOfProfiles, environment: Environment): Promise<Profile[]> {
  return (await scanProfiles(kind, environment)).profiles;
}

/**
 * One profile by its name, compared without case.
 * @throws AgentKitError `invalid_input` for no proper name, `not_found`, `not_installed` for the home of a CLI that is
 *   not here, `refused` for a link or a folder that anybody may write
 */
export async function findProfile(kind: AgentKind, name: string, environment: Environment): Promise<Profile> {
  requireName(name);
  const wanted = (defaultNames.includes(name.toLowerCase()) ? '@default' : name).toLowerCase();
  const { profiles, problems } = await scanProfiles(kind, environment);
  const found = profiles.find((profile) => profile.name.toLowerCase() === wanted);
  if (found) return found;
  const unfit = problems.find((each) => each.name === null || each.name.toLowerCase() === wanted);
  if (unfit) throw new AgentKitError('refused', unfit.problem);
  if (wanted === '@default') throw noHome(kind);
  throw new AgentKitError(
    'not_found',
    `There is no account ${kind.id}/${name}; make it with: ak profiles add ${kind.id} ${name}`,
  );
}

/** Nobody can make the CLI's own home but the CLI. */
function noHome({ id, label, install }: AgentKind): AgentKitError {
  return install === null
    ? new AgentKitError(
        'not_found',
        `${label} has no account of its own; make one with: ak profiles add ${id} @one`,
      )
    : new AgentKitError('not_installed', `${label} is not installed; install it with: ${install}`);
}

/**
 * Makes the folder of a new profile, for its owner alone.
 * @throws AgentKitError `invalid_input` for a name that is not proper or taken by the CLI's own home, `conflict` when
 *   a profile has it, whatever its case, `refused` where profiles may not lie
 */
export async function addProfile(kind: AgentKind, name: string, environment: Environment): Promise<Profile> {
  requireName(name);
  if (!isFreeName(name)) {
    throw new AgentKitError('invalid_input', `${name} means the CLI's own home; choose another name`);
  }
  const { profiles, problems } = await scanProfiles(kind, environment);
  const parent = problems.find((each) => each.name === null);
  if (parent) throw new AgentKitError('refused', parent.problem);
  const taken = profiles.find((profile) => profile.name.toLowerCase() === name.toLowerCase());
  const root = await kindFolder(kind, environment);
  const folder = join(root, name.slice(1));
  await mkdir(root, { recursive: true, mode: 0o700 });
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
