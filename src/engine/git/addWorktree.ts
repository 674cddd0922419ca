import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderOf } from './adminFolders.ts';
import type { LaneRequest } from './createLane.ts';
import { laneReason, writeMarker, type LaneIdentity } from './marker.ts';
import { git } from './plumbing.ts';
import { sparseState } from './sparseState.ts';

export type LanePlace = Pick<LaneRequest, 'root' | 'commonDir' | 'path' | 'branch' | 'base'> & LaneIdentity;

/** Adds the worktree without files. The lock carries our proof from the first moment, the marker from then on. */
export async function addWorktree(lane: LanePlace): Promise<string> {
  const { root, path, branch } = lane;
  const lock = ['--lock', '--reason', laneReason(lane)];
  await git(root, ['worktree', 'add', '--quiet', '--no-checkout', ...lock, path, branch]);
  const admin = await adminFolderOf(path);
  if (admin === null)
    throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
  await writeLaneMarker(lane, admin, false);
  return admin;
}

/** @param prepared Whether its checkout is complete */
export async function writeLaneMarker(lane: LanePlace, admin: string, prepared: boolean): Promise<void> {
  const { run, lane: id, nonce, branch, base, path } = lane;
  const sparse = prepared ? await sparseState(path, admin) : null;
  await writeMarker(admin, { version: 1, run, lane: id, nonce, branch, base, prepared, sparse });
}
