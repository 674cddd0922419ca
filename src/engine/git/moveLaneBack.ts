import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { listAdminFolders, linkedAdminFolder } from './adminFolders.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { isMarkedAs, type LaneIdentity } from './marker.ts';
import { git } from './plumbing.ts';
import { takeTurn } from './takeTurn.ts';

interface MissingLane extends LaneIdentity {
  root: string;
  commonDir: string;
  /** Where it was made, and where its run looks for it. */
  path: string;
}

/** A lane whose folder is not where it was made. */
export interface MovedLane {
  /** Where it lies. */
  folder: string;
  /** Where git takes it to be; another place when git was not asked to move it. */
  known: string;
}

/**
 * Where a lane lies whose folder somebody has moved: found by our mark in git's entry of it, or beside its old place.
 * Changes nothing. Null when it is where it belongs or nowhere to be found.
 * @throws AgentKitError `conflict`, `refused` with the cure when nothing may be put where it belongs
 */
export async function findMovedLane(lane: MissingLane): Promise<MovedLane | null> {
  const { root, commonDir, path } = lane;
  if ((await lstat(path).catch(() => null)) !== null) return null;
  const moved = await findMoved(lane);
  if (moved !== null) await checkLaneFolder({ root, commonDir }, path, []);
  return moved;
}

/**
 * Puts a lane back whose folder somebody has moved, with everything in it. Null, and nothing done, when `findMovedLane`
 * finds none.
 * @returns the folder in which it was
 * @throws AgentKitError `conflict` with the cure when it cannot be moved
 */
export async function moveLaneBack(lane: MissingLane): Promise<string | null> {
  const { root, path } = lane;
  const moved = await findMovedLane(lane);
  if (moved === null) return null;
  const place = moved.folder;
  try {
    await mkdir(dirname(path), { recursive: true });
    await rename(place, path);
  } catch (error) {
    throw new AgentKitError(
      'conflict',
      `Lane ${lane.lane} was moved to ${place} and cannot be moved back (${messageOf(error)}); move it to ${path}, then run "git worktree repair" there`,
      { cause: error },
    );
  }
  await git(root, ['worktree', 'repair', path]);
  return place;
}

/** The same for one that nobody makes or removes now; takes a turn only when its folder is not there. */
export async function bringLaneBack(lane: MissingLane): Promise<string | null> {
  if ((await lstat(lane.path).catch(() => null)) !== null) return null;
  return takeTurn(lane.commonDir, () => moveLaneBack(lane));
}

async function findMoved({ commonDir, path, ...identity }: MissingLane): Promise<MovedLane | null> {
  for (const { admin, path: known } of await listAdminFolders(commonDir)) {
    if (!(await isMarkedAs(admin, identity))) continue;
    // Git knows where it moved a worktree itself; after another move its own `.git` file tells whose it is.
    for (const place of [known, ...(await besides(path)), ...(await besides(known))]) {
      const folder = await lstat(place).catch(() => null);
      if (folder?.isDirectory() && (await linkedAdminFolder(place)) === admin)
        return { folder: place, known };
    }
  }
  return null;
}

/** What a removal has put away, or a making that was taken back, is no lane that was moved. */
async function besides(path: string): Promise<string[]> {
  const parent = dirname(path);
  const names = await readdir(parent).catch(() => []);
  const isOurs = (name: string) => name.startsWith('.trash-') || name.startsWith(`${basename(path)}.kept-`);
  return names.filter((name) => !isOurs(name)).map((name) => join(parent, name));
}
