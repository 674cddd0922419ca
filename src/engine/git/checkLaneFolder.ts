import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { isIgnored } from './isIgnored.ts';
import type { Repository } from './openRepository.ts';
import { isInside, realPathOf } from './realPathOf.ts';
import type { Worktree } from './worktreeList.ts';

/**
 * Whether a new worktree may be made at a path.
 * @throws AgentKitError `conflict` when something is there, `refused` when it lies in another checkout, where
 * that does not ignore it, or behind a link
 */
export async function checkLaneFolder(
  repository: Repository,
  path: string,
  worktrees: readonly Worktree[],
): Promise<void> {
  if (!isAbsolute(path))
    throw new AgentKitError('invalid_input', `The lane folder ${path} must be an absolute path`);
  await refuseLinks(repository, path);
  if ((await lstat(path).catch(() => null)) !== null) {
    throw new AgentKitError(
      'conflict',
      `${path} exists and is not this lane's; move it away or delete it, then try again`,
    );
  }
  const real = await realPathOf(path);
  if (isInside(real, repository.commonDir)) return;
  for (const worktree of worktrees) {
    const checkout = await realPathOf(worktree.path);
    if (!isInside(real, checkout)) continue;
    // There it is no work of anybody's, and no change of the checkout.
    if (checkout === repository.root && (await isIgnored(checkout, dirname(real)))) continue;
    throw new AgentKitError(
      'refused',
      `${path} lies inside the checkout ${worktree.path}; move that checkout elsewhere: git worktree move "${worktree.path}" NEW-FOLDER`,
    );
  }
}

/** A link among the folders that are ours would put the lane, and later its removal, somewhere else. */
async function refuseLinks({ root, commonDir }: Repository, path: string): Promise<void> {
  const anchor =
    [commonDir, dirname(root)].find((folder) => isInside(path, folder)) ?? dirname(dirname(path));
  let folder = anchor;
  for (const name of relative(anchor, path).split(sep)) {
    folder = join(folder, name);
    const found = await lstat(folder).catch(() => null);
    if (found?.isSymbolicLink()) {
      throw new AgentKitError(
        'refused',
        `${folder} is a link, and lanes are not made through links; remove the link, or put the folder it leads to in its place`,
      );
    }
  }
}
