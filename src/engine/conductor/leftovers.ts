import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, readFile, readlink, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Leftover } from '../../core/run/runState.ts';
import { leftFolder } from '../../core/run/stepFolders.ts';
import { laneFacts } from '../git/laneFacts.ts';
import type { RunContext } from './runContext.ts';
import type { MadeLane } from './settleLane.ts';

type Content = Pick<Leftover, 'path' | 'sha'>;

/** Untracked files with their content; what is no file (a repository within) cannot be told again and is left out. */
export async function describeLeftovers(path: string, files: readonly string[]): Promise<Content[]> {
  const found = await Promise.all(
    files.map(async (file): Promise<Content[]> => {
      const sha = await hashFile(join(path, file));
      return sha === null ? [] : [{ path: file, sha }];
    }),
  );
  return found.flat();
}

/** What the lane's last gate left, of the untracked files, and is still exactly that; a changed one is work. */
export async function unchangedLeftovers(lane: MadeLane, untracked: readonly string[]): Promise<Leftover[]> {
  const left = lane.leftByGate.filter(({ path }) => untracked.includes(path));
  const now = await describeLeftovers(
    lane.path,
    left.map(({ path }) => path),
  );
  return left.filter(({ path, sha }) => now.some((each) => each.path === path && each.sha === sha));
}

/** Untracked files that are no work of an agent: what we placed there, and what the last gate left and is still that. */
export async function notWork(lane: MadeLane, untracked: readonly string[]): Promise<string[]> {
  const left = (await unchangedLeftovers(lane, untracked)).map(({ path }) => path);
  return [...untracked.filter((path) => isPlaced(lane, path)), ...left];
}

/** Whether we put a file or a link there; what lies below one is somebody's who put a folder in its place. */
export function isPlaced({ placed }: Pick<MadeLane, 'placed'>, path: string): boolean {
  return placed.includes(path);
}

/** Moves what the lane's last gate left into the run's folder. Repeatable; nothing is deleted. */
export async function moveLeftoversAside(run: RunContext, lane: MadeLane): Promise<void> {
  if (lane.leftByGate.length === 0) return;
  const { untracked } = await laneFacts(lane);
  for (const { path, gate } of await unchangedLeftovers(lane, untracked)) {
    const from = join(lane.path, path);
    const to = join(run.folder, leftFolder(lane.id, gate), path);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await move(from, to);
    await removeEmptyFolders(dirname(from), lane.path);
  }
}

async function hashFile(file: string): Promise<string | null> {
  const found = await lstat(file).catch(() => null);
  const hash = createHash('sha256');
  if (found?.isSymbolicLink()) return hash.update(`link ${await readlink(file)}`).digest('hex');
  if (!found?.isFile()) return null;
  return hash.update(await readFile(file)).digest('hex');
}

/** The lanes may lie on another disk than the repository. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(from, to, { verbatimSymlinks: true });
    await rm(from);
  }
}

/** A folder that only held what was moved would still be seen by a check. */
async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  for (let each = folder; each !== top && each.startsWith(top); each = dirname(each)) {
    if (!(await removedIfEmpty(each))) return;
  }
}

async function removedIfEmpty(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}
