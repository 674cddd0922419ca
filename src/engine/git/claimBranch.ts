import { AgentKitError } from '../../core/agentKitError.ts';
import { branchUses, type BranchUse } from './branchUse.ts';
import type { LaneRequest } from './createLane.ts';
import { laneReason } from './marker.ts';
import { git } from './plumbing.ts';
import { tipOf } from './resolveBase.ts';
import { splitNulText } from './splitNul.ts';
import type { Worktree } from './worktreeList.ts';

export interface BranchClaim {
  /** Where a branch that is used again stood before; null when it was made for this lane. */
  previous: string | null;
}

/**
 * Makes the lane's branch at its base. The first reflog entry names run, lane and nonce: the proof that it is ours
 * even before it has a worktree. No config is written, so no lock of it is needed.
 * @param tip Where the branch stands; null when there is none
 * @throws AgentKitError `conflict` when the branch is in use or is not this lane's
 */
export async function claimBranch(
  request: LaneRequest,
  tip: string | null,
  worktrees: readonly Worktree[],
): Promise<BranchClaim> {
  const { root, branch, base } = request;
  const [use] = await branchUses(request, branch, worktrees);
  if (use !== undefined) throw inUse(branch, use);
  if (tip === null) {
    await setBranch(request, base, '');
    return { previous: null };
  }
  if (tip === base && (await reflogMessages(root, branch)).includes(laneReason(request)))
    return { previous: null };
  const { reuseInto } = request;
  const reusable =
    reuseInto !== undefined && (await isOurBranch(root, branch)) && (await isContained(root, tip, reuseInto));
  if (!reusable) throw foreignBranch(branch);
  await setBranch(request, base, tip);
  return { previous: tip };
}

/** Why a branch that a checkout uses cannot be a lane's. */
export function inUse(branch: string, { how, path }: BranchUse): AgentKitError {
  return new AgentKitError(
    'conflict',
    `The branch ${branch} is ${how} in ${path}; switch that checkout to another branch`,
  );
}

/** Why a branch that is there cannot be a lane's. */
export function foreignBranch(branch: string): AgentKitError {
  return new AgentKitError(
    'conflict',
    `The branch ${branch} exists and is not this lane's, or has work that is not merged; rename it: git branch -m ${branch} NEW-NAME`,
  );
}

/** Whether a branch was once made by AgentKit, which its reflog proves. */
export async function isOurBranch(root: string, branch: string): Promise<boolean> {
  return (await reflogMessages(root, branch)).some((message) => message.startsWith('agentkit '));
}

/** Whether all of a commit is in a branch. */
export async function isContained(root: string, commit: string, branch: string): Promise<boolean> {
  if ((await tipOf(root, branch)) === null) return false;
  const args = ['merge-base', '--is-ancestor', commit, `refs/heads/${branch}`];
  return (await git(root, args, { okCodes: [0, 1] })).code === 0;
}

/** Gives back a claimed branch: removes what was made, or puts a used one back. A branch that has moved is left. */
export async function releaseBranch(request: LaneRequest, { previous }: BranchClaim): Promise<void> {
  const { root, branch, base } = request;
  if ((await tipOf(root, branch)) !== base || (await branchUses(request, branch)).length > 0) return;
  if (previous === null) {
    await git(root, ['update-ref', '-d', `refs/heads/${branch}`, base]);
  } else {
    await git(root, ['update-ref', `refs/heads/${branch}`, previous, base]);
  }
}

/** Moves the branch only if it stands where it was seen; an empty `from` means that it must not exist. */
async function setBranch(request: LaneRequest, to: string, from: string): Promise<void> {
  const args = [
    'update-ref',
    '--create-reflog',
    '-m',
    laneReason(request),
    `refs/heads/${request.branch}`,
    to,
    from,
  ];
  await git(request.root, args);
}

async function reflogMessages(root: string, branch: string): Promise<string[]> {
  const { stdout } = await git(root, ['log', '-g', '-z', '--format=%gs', `refs/heads/${branch}`, '--']);
  return splitNulText(stdout);
}
