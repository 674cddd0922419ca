import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { branchUses } from '../git/branchUse.ts';
import { checkBranch } from '../git/checkBranch.ts';
import { checkLaneFolder } from '../git/checkLaneFolder.ts';
import { foreignBranch, inUse, isOurBranch } from '../git/claimBranch.ts';
import { isLockedFor, laneReason, makerOf, readMarkerIn, writeMarker } from '../git/marker.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { listWorktrees } from '../git/worktreeList.ts';

export interface PlaceRequest {
  root: string;
  commonDir: string;
  run: string;
  lane: string;
  nonce: string;
  branch: string;
  path: string;
}

/**
 * Makes the branch at a commit and an empty worktree on it, ours from the first moment, or finds exactly them from an
 * earlier attempt. A branch of ours that stands there already and that nobody uses is the lane's old one.
 * @returns the admin folder, and whether the lane was finished before
 * @throws AgentKitError `conflict`, `refused` or `invalid_input` naming what is in the way; nothing has changed then
 */
export async function restorePlace(
  request: PlaceRequest,
  tip: string,
  base: string,
): Promise<{ admin: string; finished: boolean }> {
  return takeTurn(request.commonDir, async () => {
    const { commonDir, path, branch, run, lane, nonce } = request;
    const existing = await adminFolderAt(commonDir, path);
    if (existing !== null) return { admin: existing, finished: await isFinished(request, existing) };
    const admin = await allocate(request, tip).catch(async (error: unknown) => {
      // The git of a restore that was killed may have come to its end only now.
      const made = await adminFolderAt(commonDir, path);
      if (made !== null && (await isLockedFor(made, request))) return made;
      throw error;
    });
    await writeMarker(admin, { version: 1, run, lane, nonce, branch, base, prepared: false, sparse: null });
    return { admin, finished: false };
  });
}

/** Makes branch and worktree. @returns the admin folder */
async function allocate(request: PlaceRequest, tip: string): Promise<string> {
  const { root, commonDir, path, branch } = request;
  await checkBranch(root, branch);
  await checkLaneFolder(request, path, await listWorktrees(root));
  const made = await claim(request, tip);
  const lock = ['--lock', '--reason', laneReason(request)];
  try {
    await git(root, ['worktree', 'add', '--quiet', '--no-checkout', ...lock, path, branch]);
  } catch (error) {
    if (made) await git(root, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
    throw error;
  }
  const admin = await adminFolderAt(commonDir, path);
  if (admin !== null) return admin;
  throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
}

async function isFinished(request: PlaceRequest, admin: string): Promise<boolean> {
  const marker = await readMarkerIn(admin);
  const ours =
    marker === null ? await isLockedFor(admin, request) : laneReason(marker) === laneReason(request);
  if (!ours) {
    const owner = (await makerOf(admin)) ?? 'a worktree that AgentKit did not make';
    throw new AgentKitError('conflict', `${request.path} belongs to ${owner}; restore under another name`);
  }
  return marker?.prepared ?? false;
}

/** @returns whether the branch was made now */
async function claim(request: PlaceRequest, tip: string): Promise<boolean> {
  const { root, branch } = request;
  const [use] = await branchUses(request, branch);
  if (use !== undefined) throw inUse(branch, use);
  const there = await tipOf(root, branch);
  if (there === null) {
    const args = [
      'update-ref',
      '--create-reflog',
      '-m',
      laneReason(request),
      `refs/heads/${branch}`,
      tip,
      '',
    ];
    await git(root, args);
    return true;
  }
  if (there !== tip || !(await isOurBranch(root, branch))) throw foreignBranch(branch);
  return false;
}
