import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { adminFolderAt } from './adminFolders.ts';
import { isLockedFor, laneReason, readMarkerIn, type LaneIdentity } from './marker.ts';
import { parseStatus } from './parseStatus.ts';
import { git } from './plumbing.ts';
import { isInside, realPathOf } from './realPathOf.ts';
import { splitNul } from './splitNul.ts';

interface HalfMadeLane extends LaneIdentity {
  root: string;
  commonDir: string;
  path: string;
  base: string;
}

/**
 * Takes back a worktree whose creation did not end. Only one that git lists as linked, that carries this lane's
 * identity and that was never prepared: a lane that anybody has worked in is not removed here.
 *
 * A folder that holds anything else than the base's files is moved aside instead of removed.
 * @param expected paths that the checkout itself left different from the base
 * @returns sentences for the user about what was kept
 * @throws AgentKitError `refused` when it is not ours to take back, `git_failed` when it could not be removed
 */
export async function rollBackLane(lane: HalfMadeLane, expected: readonly string[] = []): Promise<string[]> {
  const { root, commonDir, path } = lane;
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null) return [];
  await refuseUnlessOurs(lane, admin);
  const there = await lstat(path).catch(() => null);
  const kept: string[] = [];
  if (there !== null && (await holdsForeignFiles(lane, expected))) {
    const aside = keptFolder(lane);
    await rename(path, aside);
    kept.push(`Files that are not from the base were found in the unfinished folder; they are in ${aside}`);
  }
  await git(root, ['worktree', 'remove', '--force', '--force', path]).catch((error: unknown) => {
    throw new AgentKitError('git_failed', [messageOf(error), ...kept].join('. '), { cause: error });
  });
  if ((await lstat(path).catch(() => null)) !== null || (await adminFolderAt(commonDir, path)) !== null) {
    throw new AgentKitError(
      'git_failed',
      [
        `${path} is still there after its removal; remove it by hand: git worktree remove --force --force "${path}"`,
        ...kept,
      ].join('. '),
    );
  }
  return kept;
}

/** Where files are put that an unfinished lane's folder held and that are not from its base. */
export function keptFolder({ path, nonce }: Pick<HalfMadeLane, 'path' | 'nonce'>): string {
  return `${path}.kept-${nonce.slice(0, 8)}`;
}

const suffix = /\.kept-[0-9a-f]{8}$/;

/** Whether a folder has such a name. */
export function isKeptFolder(name: string): boolean {
  return suffix.test(name);
}

/** Where the lane lay whose files such a folder holds. */
export function lanePathOfKept(folder: string): string {
  return folder.replace(suffix, '');
}

async function refuseUnlessOurs(lane: HalfMadeLane, admin: string): Promise<void> {
  const { path } = lane;
  const refuse = (why: string) => new AgentKitError('refused', `${path} is not removed: ${why}`);
  const marker = await readMarkerIn(admin);
  const ours = marker === null ? await isLockedFor(admin, lane) : laneReason(marker) === laneReason(lane);
  if (!ours) throw refuse('it is not marked as this lane');
  if (marker?.prepared) throw refuse('the lane was complete, so work may be in it');
  if ((await lstat(path).catch(() => null))?.isSymbolicLink()) throw refuse('it is a link');
  const real = await realPathOf(path);
  if (real === lane.root) throw refuse('it is the main checkout');
  if (isInside(process.cwd(), real)) throw refuse('this process works in it');
}

/** Whether anything but files as the base has them, or parts of them missing, lies in the folder. */
async function holdsForeignFiles(
  { path, base }: HalfMadeLane,
  expected: readonly string[],
): Promise<boolean> {
  if ((await readdir(path)).length === 0) return false;
  const folder = await mkdtemp(join(tmpdir(), 'agentkit-index-'));
  try {
    // An index of our own: a killed checkout may have left the worktree's index locked.
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await git(path, ['read-tree', base], { env });
    const { stdout } = await git(
      path,
      ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'],
      { env },
    );
    const entries = parseStatus(splitNul(stdout));
    return entries.some(
      (entry) => entry.worktree !== 'D' && entry.worktree !== ' ' && !expected.includes(entry.path),
    );
  } catch {
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
