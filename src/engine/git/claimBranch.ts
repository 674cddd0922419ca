import { AgentKitError } from '../../core/agentKitError.ts';
import { branchUses } from './branchUse.ts';
import type { LaneRequest } from './createLane.ts';
import { laneReason } from './marker.ts';
import { git } from './plumbing.ts';
import { tipOf } from './resolveBase.ts';
import { splitNulText } from './splitNul.ts';

export interface BranchClaim {
  /** Where a branch that is used again stood before; null when it was made for this lane. */
  previous: string | null;
}

/**
 * Makes the lane's branch at its base. The first reflog entry names run, lane and nonce: the proof that it is ours
 * even before it has a worktree. No config is written, so no lock of it is needed.
 * @throws AgentKitError `conflict` when the branch is in use or is not this lane's
 */
export async function claimBranch(request: LaneRequest): Promise<BranchClaim> {
  const { root, branch, base } = request;
  const [use] = await branchUses(request, branch);
  if (use !== undefined) {
    throw new AgentKitError(
      'conflict',
      `The branch ${branch} is ${use.how} in ${use.path}; switch that checkout to another branch`,
    );
  }
  const tip = await tipOf(root, branch);
  if (tip === null) {
    await setBranch(request, base, '');
    return { previous: null };
  }
  const history = await reflogMessages(root, branch);
  if (tip === base && history.includes(laneReason(request))) return { previous: null };
  if (history.some((message) => message.startsWith('agentkit ')) && (await isContained(request, tip))) {
    await setBranch(request, base, tip);
    return { previous: tip };
  }
  throw new AgentKitError(
    'conflict',
    `The branch ${branch} exists and is not this lane's, or has work that is not merged; rename it: git branch -m ${branch} NEW-NAME`,
  );
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

async function isContained({ root, reuseInto }: LaneRequest, tip: string): Promise<boolean> {
  if (reuseInto === undefined || (await tipOf(root, reuseInto)) === null) return false;
  const args = ['merge-base', '--is-ancestor', tip, `refs/heads/${reuseInto}`];
  return (await git(root, args, { okCodes: [0, 1] })).code === 0;
}
