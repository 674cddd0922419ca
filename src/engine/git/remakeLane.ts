import { lstat } from 'node:fs/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt } from './adminFolders.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { checkOutLane } from './checkOutLane.ts';
import type { LaneRequest } from './createLane.ts';
import { isLockedFor, laneReason, writeMarker } from './marker.ts';
import { git } from './plumbing.ts';
import { tipOf } from './resolveBase.ts';
import { sparseState } from './sparseState.ts';
import { takeTurn } from './takeTurn.ts';
import { listWorktrees } from './worktreeList.ts';

/**
 * Makes the worktree of a lane again whose folder somebody deleted, with what its branch holds. False, and nothing
 * done, while the folder is there; false too when the branch is gone, so that the lane can be made anew.
 * @throws AgentKitError `conflict` when git's entry of the folder is not this lane's, `git_failed`
 */
export async function remakeLane(lane: Omit<LaneRequest, 'trusted'>): Promise<boolean> {
  const { root, commonDir, path, branch } = lane;
  if ((await lstat(path).catch(() => null)) !== null) return false;
  return takeTurn(commonDir, async () => {
    const stale = await adminFolderAt(commonDir, path);
    if (stale !== null) await dropEntry(lane, stale);
    const tip = await tipOf(root, branch);
    if (tip === null) return false;
    await checkLaneFolder(lane, path, await listWorktrees(root));
    const lock = ['--lock', '--reason', laneReason(lane)];
    await git(root, ['worktree', 'add', '--quiet', '--no-checkout', ...lock, path, branch]);
    await checkOutLane(path, tip, []);
    const admin = await adminFolderAt(commonDir, path);
    if (admin === null)
      throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
    const { run, lane: id, nonce, base } = lane;
    const sparse = await sparseState(path, admin);
    await writeMarker(admin, { version: 1, run, lane: id, nonce, branch, base, prepared: true, sparse });
    return true;
  });
}

/** Takes away git's entry of a folder that is gone, and of no other. */
async function dropEntry(lane: Omit<LaneRequest, 'trusted'>, admin: string): Promise<void> {
  if (!(await isLockedFor(admin, lane))) {
    throw new AgentKitError(
      'conflict',
      `Git knows another worktree at ${lane.path}, whose folder is gone; run "git worktree prune" and try again`,
    );
  }
  await git(lane.root, ['worktree', 'remove', '--force', '--force', lane.path]);
}
