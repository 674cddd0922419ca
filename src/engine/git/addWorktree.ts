import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderOf } from './adminFolders.ts';
import type { LaneRequest } from './createLane.ts';
import { laneReason, writeMarker, type LaneIdentity, type Marker } from './marker.ts';
import { git } from './plumbing.ts';

export type LanePlace = Pick<LaneRequest, 'root' | 'commonDir' | 'path' | 'branch' | 'base'> & LaneIdentity;

/** Adds the worktree without files. The lock carries our proof from the first moment, the marker from then on. */
export async function addWorktree(lane: LanePlace): Promise<string> {
  const { root, path, branch } = lane;
  const lock = ['--lock', '--reason', laneReason(lane)];
  await git(root, ['worktree', 'add', '--quiet', '--no-checkout', ...lock, path, branch]);
  const admin = await adminFolderOf(path);
  if (admin === null)
    throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
  await writeLaneMarker(lane, admin, { prepared: false, sparse: null });
  return admin;
}

export async function writeLaneMarker(
  { run, lane, nonce, branch, base }: LanePlace,
  admin: string,
  state: Pick<Marker, 'prepared' | 'sparse'>,
): Promise<void> {
  await writeMarker(admin, { version: 1, run, lane, nonce, branch, base, ...state });
}
