import { branchUses } from '../git/branchUse.ts';
import { git } from '../git/plumbing.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import type { CommitGaps } from './rescueGaps.ts';

export interface BranchEnd {
  branch: 'deleted' | 'kept' | 'gone';
  /** Why it was kept. */
  why?: string;
}

/** Deletes a lane's branch if it still stands where it was judged, and nothing uses it or needs it. */
export async function deleteBranch(
  request: RemovalRequest,
  { tip, keepBranch }: Pick<CommitGaps, 'tip' | 'keepBranch'>,
): Promise<BranchEnd> {
  const { root, branch } = request;
  if (tip === null) return { branch: 'gone' };
  const kept = (why: string): BranchEnd => ({ branch: 'kept', why: `${branch} was kept: ${why}` });
  if (keepBranch !== null) return kept(keepBranch);
  const [use] = await branchUses(request, branch);
  if (use !== undefined) return kept(`it is ${use.how} in ${use.path}`);
  // A branch that was made a name for another one is taken away as such: the other one stays.
  const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, tip];
  const { code, stderr } = await git(root, args, { okCodes: [0, 1, 128] });
  return code === 0 ? { branch: 'deleted' } : kept(`git did not delete it: ${stderr.trim()}`);
}
