import { stat } from 'node:fs/promises';
import { gitDirOf } from './adminFolders.ts';
import { branchUses } from './branchUse.ts';
import { operationInProgress } from './operationInProgress.ts';
import type { Repository } from './openRepository.ts';

export interface TargetState {
  /** The one checkout that stands on the target; null when none does. */
  checkedOutIn: string | null;
  /** Why the target cannot be moved now, whatever the merge. */
  whyNot: string[];
}

/** Who uses a target branch, and whether it can be moved under them. */
export async function targetState(repository: Repository, target: string): Promise<TargetState> {
  const uses = await branchUses(repository, target);
  const [checkout, ...others] = uses.filter((use) => use.how === 'checked out').map((use) => use.path);
  const whyNot = uses
    .filter((use) => use.how !== 'checked out')
    .map((use) => `${target} is ${use.how} in ${use.path}; finish or abort that first`);
  if (checkout === undefined) return { checkedOutIn: null, whyNot };
  if (others.length > 0) {
    whyNot.push(
      `${target} is checked out more than once (${[checkout, ...others].join(', ')}); switch all but one to another branch`,
    );
  }
  const found = await stat(checkout).catch(() => null);
  if (!found?.isDirectory()) {
    whyNot.push(
      `${target} is checked out in ${checkout}, which is gone; run "git worktree prune", or bring the folder back`,
    );
    return { checkedOutIn: checkout, whyNot };
  }
  const gitDir = await gitDirOf(repository, checkout);
  const operation = gitDir === null ? null : await operationInProgress(gitDir);
  // A rebase or bisect of the target itself was named above already.
  if (operation !== null && !uses.some((use) => use.how !== 'checked out' && use.path === checkout)) {
    whyNot.push(
      `A ${operation} is under way in ${checkout}, where ${target} is checked out; finish or abort it first`,
    );
  }
  return { checkedOutIn: checkout, whyNot };
}
