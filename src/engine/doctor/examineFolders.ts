import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteForShell } from '../agents/quoteForShell.ts';
import type { UserFolders } from '../store/userFolders.ts';
import { type DoctorFinding, problem } from './finding.ts';

/** Permission bits that others must not have. */
const write = 0o022;
const any = 0o077;

/**
 * Whether only the person can write what AgentKit believes, and only they can read their logins. What is not there is
 * as it should be.
 */
export async function examineFolders(
  folders: UserFolders,
  userId: number | undefined,
): Promise<DoctorFinding[]> {
  const kinds = await childrenOf(folders.profiles);
  const profiles = (await Promise.all(kinds.map(childrenOf))).flat();
  const checks = [
    ...[folders.config, folders.state, folders.profiles, ...kinds].map((path) => check(path, write, userId)),
    ...[...(await childrenOf(folders.config))].map((path) => check(path, write, userId)),
    ...[...(await childrenOf(folders.state))].map((path) => check(path, write, userId)),
    ...profiles.map((path) => check(path, any, userId)),
  ];
  return (await Promise.all(checks)).flat();
}

async function check(path: string, forbidden: number, userId: number | undefined): Promise<DoctorFinding[]> {
  const found = await lstat(path).catch(ifThere);
  if (found === null) return [];
  const place = quoteForShell(path);
  if (found.isSymbolicLink() && forbidden === any) {
    const message = `${path} is a link, so it is no profile; a profile is a folder of its own`;
    return [problem('folder', message, `rm ${place}`)];
  }
  if (found.isSymbolicLink()) return [];
  if (userId !== undefined && found.uid !== userId) {
    return [problem('folder', `${path} belongs to another user`, `sudo chown -R "$(id -u)" ${place}`)];
  }
  if ((found.mode & forbidden) === 0) return [];
  return forbidden === any
    ? [problem('folder', `${path} holds a login and is open to others`, `chmod go-rwx ${place}`)]
    : [problem('folder', `${path} can be written by others`, `chmod go-w ${place}`)];
}

async function childrenOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ifThere);
  return (names ?? []).map((name) => join(folder, name));
}

function ifThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
