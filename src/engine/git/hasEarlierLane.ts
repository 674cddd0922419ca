import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt } from './adminFolders.ts';
import { branchUses } from './branchUse.ts';
import { checkBranch, clashingBranch } from './checkBranch.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { foreignBranch, inUse, isContained, isOurBranch } from './claimBranch.ts';
import { makerOf } from './marker.ts';
import type { Repository } from './openRepository.ts';
import { tipOf } from './resolveBase.ts';
import { listWorktrees } from './worktreeList.ts';

/**
 * Whether an earlier lane of ours still has this branch or folder, so that a new one needs another name. A branch of
 * ours without a worktree, all of which is in `reuseInto`, is used again.
 * @throws AgentKitError `conflict` or `refused` with the cure when something that is not ours is in the way
 */
export async function hasEarlierLane(
  repository: Repository,
  { branch, path, reuseInto }: { branch: string; path: string; reuseInto: string },
): Promise<boolean> {
  const { root, commonDir } = repository;
  const admin = await adminFolderAt(commonDir, path);
  if (admin !== null) {
    if ((await makerOf(admin)) !== null) return true;
    throw new AgentKitError(
      'conflict',
      `${path} is a worktree that AgentKit did not make; move it away: git worktree move "${path}" NEW-FOLDER`,
    );
  }
  const clash = await clashingBranch(root, branch);
  if (clash !== null && (await isOurBranch(root, clash))) return true;
  await checkBranch(root, branch);
  await checkLaneFolder(repository, path, await listWorktrees(root));
  const [use] = await branchUses(repository, branch);
  if (use !== undefined) {
    const user = await adminFolderAt(commonDir, use.path);
    if (user !== null && (await makerOf(user)) !== null) return true;
    throw inUse(branch, use);
  }
  const tip = await tipOf(root, branch);
  if (tip === null) return false;
  if (!(await isOurBranch(root, branch))) throw foreignBranch(branch);
  return !(await isContained(root, tip, reuseInto));
}
