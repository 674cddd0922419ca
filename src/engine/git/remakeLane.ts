import { lstat } from 'node:fs/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { addWorktree, writeLaneMarker, type LanePlace } from './addWorktree.ts';
import { adminFolderAt } from './adminFolders.ts';
import { isFilled, isHalfMade, whenCheckoutHasEnded } from './checkoutOfBefore.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { checkOutLane } from './checkOutLane.ts';
import { isMarkedAs } from './marker.ts';
import { moveLaneBack } from './moveLaneBack.ts';
import { git } from './plumbing.ts';
import { tipOf } from './resolveBase.ts';
import { rollBackLane } from './rollBackLane.ts';
import { sparseState } from './sparseState.ts';
import { takeTurn } from './takeTurn.ts';
import { listWorktrees } from './worktreeList.ts';

/**
 * Makes the worktree of a lane again whose folder somebody deleted, with what its branch holds, and puts one back
 * that somebody moved. False, and nothing done, while the folder is there; false too when the branch is gone, so that
 * the lane can be made anew.
 * @throws AgentKitError `conflict` when git's entry of the folder is not this lane's, `git_failed`
 */
export async function remakeLane(lane: LanePlace): Promise<boolean> {
  const { root, commonDir, path, branch } = lane;
  if ((await isThere(path)) && !(await isHalfMade(lane))) return false;
  await whenCheckoutHasEnded(lane);
  return takeTurn(commonDir, async () => {
    if ((await moveLaneBack(lane)) !== null) return true;
    const tip = await tipOf(root, branch);
    if (tip === null && (await isThere(path))) return false;
    const stale = await adminFolderAt(commonDir, path);
    if (stale !== null && (await isThere(path))) {
      // Another call may have made it meanwhile, or an earlier one have come to its end without its owner.
      if (!(await isHalfMade(lane))) return false;
      if (tip !== null && (await isFilled(lane, tip))) {
        await fill(lane, stale, tip);
        return true;
      }
      await rollBackLane({ ...lane, base: tip ?? lane.base });
    } else if (stale !== null) await dropEntry(lane, stale);
    if (tip === null) return false;
    await checkLaneFolder(lane, path, await listWorktrees(root));
    await fill(lane, await addWorktree(lane), tip);
    return true;
  });
}

async function fill(lane: LanePlace, admin: string, tip: string): Promise<void> {
  const dirty: string[] = [];
  try {
    await checkOutLane(lane.path, tip, dirty);
  } catch (error) {
    // The branch stays: it holds the lane's work.
    const kept = await rollBackLane({ ...lane, base: tip }, dirty);
    throw new AgentKitError('git_failed', [messageOf(error), ...kept].join('. '), { cause: error });
  }
  await writeLaneMarker(lane, admin, { prepared: true, sparse: await sparseState(lane.path, admin) });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Takes away git's entry of a folder that is gone, and of no other. */
async function dropEntry(lane: LanePlace, admin: string): Promise<void> {
  if (!(await isMarkedAs(admin, lane))) {
    throw new AgentKitError(
      'conflict',
      `Git knows another worktree at ${lane.path}, whose folder is gone; run "git worktree prune" and try again`,
    );
  }
  await git(lane.root, ['worktree', 'remove', '--force', '--force', lane.path]);
}
