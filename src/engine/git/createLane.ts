import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { adminFolderAt } from './adminFolders.ts';
import { checkBranch } from './checkBranch.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { checkOutLane } from './checkOutLane.ts';
import { claimBranch, releaseBranch, type BranchClaim } from './claimBranch.ts';
import { isLockedFor, laneReason, makerOf, readMarkerIn, writeMarker } from './marker.ts';
import { git } from './plumbing.ts';
import { rollBackLane } from './rollBackLane.ts';
import { runPostCheckout } from './runPostCheckout.ts';
import { sparseState } from './sparseState.ts';
import { takeTurn } from './takeTurn.ts';
import { listWorktrees } from './worktreeList.ts';

export interface LaneRequest {
  root: string;
  commonDir: string;
  branch: string;
  /** Absolute folder of the new worktree. */
  path: string;
  /** Commit it starts from. */
  base: string;
  run: string;
  lane: string;
  /** Fresh for every lane; the journal keeps it. */
  nonce: string;
  /** Whether the repository's `post-checkout` hook may run. */
  trusted: boolean;
  /** Lets a closed lane's branch be used again when all of it is contained in this branch. */
  reuseInto?: string;
}

/**
 * Makes a lane's branch and worktree, complete and clean, or finds exactly them made. Repeatable after a crash.
 *
 * Allocation goes one lane after another, checkouts side by side. A lane that cannot be completed is taken back.
 * @throws AgentKitError `conflict`, `refused` or `invalid_input` naming what is in the way, `git_failed`
 */
export async function createLane(request: LaneRequest): Promise<{ warnings: string[] }> {
  const allocated = await takeTurn(request.commonDir, () => allocateLane(request));
  if (allocated.adopted) return { warnings: [] };
  const { admin, claim, warnings } = allocated;
  const { path, base } = request;
  const dirty: string[] = [];
  try {
    await checkOutLane(path, base, dirty);
    await writeLaneMarker(request, admin, true);
  } catch (error) {
    const kept = await takeTurn(request.commonDir, () => takeBack(request, claim, dirty));
    throw new AgentKitError(
      'git_failed',
      [`Lane ${request.lane} could not be made. ${messageOf(error)}`, ...kept].join('. '),
      {
        cause: error,
      },
    );
  }
  return { warnings: request.trusted ? [...warnings, ...(await runPostCheckout(path, base))] : warnings };
}

type Allocated =
  { adopted: true } | { adopted: false; admin: string; claim: BranchClaim; warnings: string[] };

async function allocateLane(request: LaneRequest): Promise<Allocated> {
  const warnings: string[] = [];
  const existing = await adminFolderAt(request.commonDir, request.path);
  if (existing !== null) {
    if (await isComplete(request, existing)) return { adopted: true };
    warnings.push(...(await rollBackLane(request)));
  }
  await checkBranch(request.root, request.branch);
  await checkLaneFolder(request, request.path, await listWorktrees(request.root));
  const claim = await claimBranch(request);
  try {
    return { adopted: false, admin: await addWorktree(request), claim, warnings };
  } catch (error) {
    const kept = await takeBack(request, claim, []);
    throw new AgentKitError('git_failed', [messageOf(error), ...kept].join('. '), { cause: error });
  }
}

/** Whether this very lane is there already. @throws AgentKitError `conflict` when something else is there */
async function isComplete(request: LaneRequest, admin: string): Promise<boolean> {
  const marker = await readMarkerIn(admin);
  const ours =
    marker === null ? await isLockedFor(admin, request) : laneReason(marker) === laneReason(request);
  if (!ours) {
    const owner = await makerOf(admin);
    throw new AgentKitError(
      'conflict',
      owner === null
        ? `${request.path} belongs to a worktree that AgentKit did not make; move it away: git worktree move "${request.path}" NEW-FOLDER`
        : `${request.path} belongs to ${owner}; start the plan again: a new run gives its lane a name of its own`,
    );
  }
  if (!marker?.prepared) return false;
  const there = (await listWorktrees(request.root)).find((worktree) => worktree.branch === request.branch);
  const atPath = there !== undefined && (await adminFolderAt(request.commonDir, there.path)) === admin;
  if (!atPath || marker.branch !== request.branch || marker.base !== request.base) {
    throw new AgentKitError(
      'conflict',
      `${request.path} is lane ${request.lane}, but does not stand on ${request.branch} from ${request.base.slice(0, 10)} any more; switch it back there, or start the plan again for a new lane`,
    );
  }
  return true;
}

/** Adds the worktree without files. The lock carries our proof from the first moment, the marker from then on. */
async function addWorktree(request: LaneRequest): Promise<string> {
  const { root, commonDir, path, branch } = request;
  const lock = ['--lock', '--reason', laneReason(request)];
  await git(root, ['worktree', 'add', '--quiet', '--no-checkout', ...lock, path, branch]);
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null)
    throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
  await writeLaneMarker(request, admin, false);
  return admin;
}

async function writeLaneMarker(request: LaneRequest, admin: string, prepared: boolean): Promise<void> {
  const { run, lane, nonce, branch, base, path } = request;
  const sparse = prepared ? await sparseState(path, admin) : null;
  await writeMarker(admin, { version: 1, run, lane, nonce, branch, base, prepared, sparse });
}

/** Undoes what this call has made, and tells in sentences what it had to leave. */
async function takeBack(
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
