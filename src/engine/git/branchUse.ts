import { join } from 'node:path';
import { listAdminFolders, readText } from './adminFolders.ts';
import type { Repository } from './openRepository.ts';
import { listWorktrees, type Worktree } from './worktreeList.ts';

/** A checkout that would be hurt if somebody else moved the branch. */
export interface BranchUse {
  path: string;
  how: 'checked out' | 'being rebased' | 'being bisected';
}

/**
 * Every checkout that uses a branch. While it is rebased or bisected, `git worktree list` calls the checkout detached;
 * the branch is in use all the same.
 * @param worktrees What git lists, if that was asked for already
 */
export async function branchUses(
  { root, commonDir }: Repository,
  branch: string,
  worktrees?: readonly Worktree[],
): Promise<BranchUse[]> {
  const checkedOut = (worktrees ?? (await listWorktrees(root)))
    .filter((worktree) => worktree.branch === branch)
    .map(({ path }): BranchUse => ({ path, how: 'checked out' }));
  const uses: BranchUse[] = [];
  for (const { admin, path } of [{ admin: commonDir, path: root }, ...(await listAdminFolders(commonDir))]) {
    if (await isRebased(admin, `refs/heads/${branch}`)) uses.push({ path, how: 'being rebased' });
    if ((await readText(join(admin, 'BISECT_START'))) === branch) uses.push({ path, how: 'being bisected' });
  }
  return [...checkedOut, ...uses];
}

async function isRebased(admin: string, ref: string): Promise<boolean> {
  const heads = [join('rebase-merge', 'head-name'), join('rebase-apply', 'head-name')];
  for (const file of heads) {
    if ((await readText(join(admin, file))) === ref) return true;
  }
  // Branches that `rebase --update-refs` will move along: a list of ref, old and new commit.
  const along = await readText(join(admin, 'rebase-merge', 'update-refs'));
  return along?.split('\n').includes(ref) ?? false;
}
