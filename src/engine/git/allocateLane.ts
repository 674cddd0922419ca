import { lstat } from 'node:fs/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { addWorktree } from './addWorktree.ts';
import { adminFolderAt, linkedAdminFolder } from './adminFolders.ts';
import { isFilled, isHalfMade } from './checkoutOfBefore.ts';
import { checkBranch } from './checkBranch.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { claimBranch, releaseBranch, type BranchClaim } from './claimBranch.ts';
import type { LaneRequest } from './createLane.ts';
import { isMarkedAs, makerOf, readMarkerIn } from './marker.ts';
import { moveLaneBack } from './moveLaneBack.ts';
import { tipOf } from './resolveBase.ts';
import { rollBackLane } from './rollBackLane.ts';
import { listWorktrees } from './worktreeList.ts';

type Allocated =
  | { adopted: true; warnings: string[] }
  | { adopted: false; admin: string; claim: BranchClaim; warnings: string[] };

/**
 * Takes a lane's branch and registers its worktree, still without files; adopts the lane that is there complete, also
 * when its folder was moved. Call it in a turn.
 */
export async function allocateLane(request: LaneRequest): Promise<Allocated> {
  const { root, commonDir, path, branch } = request;
  const [listed, tip] = await Promise.all([listWorktrees(root), tipOf(root, branch)]);
  // A lane that is somewhere has its branch.
  const moved = tip === null ? null : await moveLaneBack(request);
  const warnings = moved === null ? [] : [`${path} had been moved to ${moved}, and was moved back`];
  const existing = await adminFolderAt(commonDir, path);
  if (existing !== null) {
    if (await isComplete(request, existing)) return { adopted: true, warnings };
    // What was cut off may have come to its end without its owner; the checkout is proven once more.
    if ((await isHalfMade(request)) && (await isFilled(request, request.base)))
      return { adopted: false, admin: existing, claim: { previous: null }, warnings };
    warnings.push(...(await rollBackLane(request)));
  }
  const worktrees = existing === null ? listed : await listWorktrees(root);
  await Promise.all([checkBranch(root, branch), checkLaneFolder(request, path, worktrees)]);
  const claim = await claimBranch(request, tip, worktrees);
  try {
    return { adopted: false, admin: await addWorktree(request), claim, warnings };
  } catch (error) {
    const kept = await takeBack(request, claim, []);
    throw new AgentKitError('git_failed', [messageOf(error), ...kept].join('. '), { cause: error });
  }
}

/** Undoes what this call has made, and tells in sentences what it had to leave. */
export async function takeBack(
  request: LaneRequest,
  claim: BranchClaim,
  dirty: readonly string[],
): Promise<string[]> {
  try {
    const kept = await rollBackLane(request, dirty);
    await releaseBranch(request, claim);
    return kept;
  } catch (error) {
    return [`Taking it back failed too: ${messageOf(error)}`];
  }
}

/** Whether this very lane is there already. @throws AgentKitError `conflict` when something else is there */
async function isComplete(request: LaneRequest, admin: string): Promise<boolean> {
  const { commonDir, path, branch, base } = request;
  if (!(await isMarkedAs(admin, request))) throw await foreignWorktree(path, admin);
  const marker = await readMarkerIn(admin);
  if (!marker?.prepared) return false;
  const there = (await listWorktrees(request.root)).find((worktree) => worktree.branch === branch);
  const atPath = there !== undefined && (await adminFolderAt(commonDir, there.path)) === admin;
  if (!atPath || marker.branch !== branch || marker.base !== base) {
    throw new AgentKitError(
      'conflict',
      `${path} is lane ${request.lane}, but does not stand on ${branch} from ${base.slice(0, 10)} any more; switch it back there, or start the plan again for a new lane`,
    );
  }
  if ((await lstat(path).catch(() => null)) !== null && (await linkedAdminFolder(path)) !== admin) {
    throw new AgentKitError(
      'conflict',
      `${path} is lane ${request.lane}, but its .git file leads elsewhere, as after the main checkout was moved; mend it: git -C "${request.root}" worktree repair "${path}"`,
    );
  }
  return true;
}

async function foreignWorktree(path: string, admin: string): Promise<AgentKitError> {
  const owner = await makerOf(admin);
  return new AgentKitError(
    'conflict',
    owner === null
      ? `${path} belongs to a worktree that AgentKit did not make; move it away: git worktree move "${path}" NEW-FOLDER`
      : `${path} belongs to ${owner}; start the plan again: a new run gives its lane a name of its own`,
  );
}
