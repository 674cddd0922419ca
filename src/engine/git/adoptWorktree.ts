import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LanePlace } from './addWorktree.ts';
import { adminFolderAt, adminFolderOf, readText } from './adminFolders.ts';
import { laneReason, readMarkerIn, writeMarker, type LaneIdentity } from './marker.ts';
import { git } from './plumbing.ts';
import { takeTurn } from './takeTurn.ts';

/**
 * Marks a worktree that was one lane's as another's: in git's folder of it only, nothing in the worktree, its index or its
 * branch is touched. Repeatable after a crash.
 * @returns what a person is to know of it
 * @throws AgentKitError `conflict` when it is neither of the two lanes', or is not there; `refused` when it never was whole
 */
export function adoptWorktree(lane: LanePlace, before: LaneIdentity): Promise<string[]> {
  return takeTurn(lane.commonDir, async () => {
    const { root, commonDir, path } = lane;
    const admin = await adminFolderAt(commonDir, path);
    if (admin === null || (await adminFolderOf(path)) !== admin)
      throw new AgentKitError('conflict', `${path} is no worktree of this repository any more.`);
    const marker = await readMarkerIn(admin);
    const isOurs = marker !== null && laneReason(marker) === laneReason(lane);
    if (marker === null || (!isOurs && laneReason(marker) !== laneReason(before)))
      throw new AgentKitError(
        'conflict',
        `${path} is not lane ${before.lane} of run ${before.run} any more.`,
      );
    if (!marker.prepared) throw new AgentKitError('refused', `The making of ${path} never came to its end.`);
    const { run, lane: id, nonce } = lane;
    if (!isOurs) await writeMarker(admin, { ...marker, run, lane: id, nonce });
    const lock = await readText(join(admin, 'locked'));
    if (lock === laneReason(lane)) return [];
    if (lock !== null && lock !== laneReason(before))
      return [`It is locked by somebody else with the reason "${lock}".`];
    if (lock !== null) await git(root, ['worktree', 'unlock', path]);
    await git(root, ['worktree', 'lock', '--reason', laneReason(lane), path]);
    return [];
  });
}
