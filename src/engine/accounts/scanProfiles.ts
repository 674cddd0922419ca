import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isProfileName } from '../../core/accounts/account.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { quoteForShell } from '../agents/quoteForShell.ts';
import { profilesRoot } from './personSettings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
export type KindOfProfiles = Pick<AgentKind, 'id' | 'hasDefaultProfile'>;

/** A folder that looks like a profile and is not used. */
export interface ProfileProblem {
  kind: string;
  /** With its `@`; null for a folder that holds profiles. */
  name: string | null;
  folder: string;
  /** What is wrong, and what to do. */
  problem: string;
}

/** The CLI's own home; both names mean it. */
export const defaultNames: readonly string[] = ['@default', '@1'];

/** Whether a profile of its own may have the name. */
export function isFreeName(name: string): boolean {
  return isProfileName(name) && !defaultNames.includes(name.toLowerCase());
}

/** The folder that holds a kind's profiles. @throws AgentKitError `usage`, `invalid_input`, `refused` as settings do */
export async function kindFolder(kind: Pick<AgentKind, 'id'>, environment: Environment): Promise<string> {
  return join(await profilesRoot(environment), kind.id);
}

/**
 * The profiles of a kind, by name, and the folders that are not used. A link could lead a login elsewhere, and what
 * anybody may write could be anybody's login: neither is used, nor what lies below it.
 */
export async function scanProfiles(
  kind: KindOfProfiles,
  environment: Environment,
): Promise<{ profiles: Profile[]; problems: ProfileProblem[] }> {
  const own: Profile[] = kind.hasDefaultProfile ? [{ kind: kind.id, name: '@default', folder: null }] : [];
  const root = await profilesRoot(environment);
  const folder = join(root, kind.id);
  for (const parent of [root, folder]) {
    const problem = problemOf(parent, await lstatIfThere(parent));
    if (problem !== undefined)
      return { profiles: own, problems: [{ kind: kind.id, name: null, folder: parent, problem }] };
  }
  const names = (await readdirIfThere(folder)).filter((name) => isFreeName(`@${name}`)).sort();
  const profiles: Profile[] = [];
  const problems: ProfileProblem[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const found = await lstatIfThere(path);
    const problem = problemOf(path, found);
    if (problem !== undefined) problems.push({ kind: kind.id, name: `@${name}`, folder: path, problem });
    else if (found?.isDirectory()) profiles.push({ kind: kind.id, name: `@${name}`, folder: path });
  }
  return { profiles: [...own, ...profiles], problems };
}

function problemOf(path: string, found: Stats | null): string | undefined {
  if (found === null) return undefined;
  if (found.isSymbolicLink()) return `${path} is a link; a profile must be a folder of its own`;
  if (found.isDirectory() && (found.mode & 0o002) !== 0)
    return `${path} can be written by anybody; make it yours: chmod o-w ${quoteForShell(path)}`;
  return undefined;
}

async function lstatIfThere(path: string): Promise<Stats | null> {
  return lstat(path).catch(nullIfMissing);
}

async function readdirIfThere(path: string): Promise<string[]> {
  return (await readdir(path).catch(nullIfMissing)) ?? [];
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
