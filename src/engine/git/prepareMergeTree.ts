import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { requireIdentity } from './identity.ts';
import { mergeTrees } from './mergeTrees.ts';
import { fillMergeWorktree, openMergeWorktree } from './mergeWorktree.ts';
import type { Repository } from './openRepository.ts';
import { gitText } from './plumbing.ts';

/** The kept worktree of a target, in which merged trees are built and judged, beside the lanes. */
export function mergeTreeFolder(laneRoot: string, target: string): string {
  return join(laneRoot, `.merge-${target.replaceAll('/', '-')}`);
}

export interface MergeTreeRequest extends Repository {
  laneRoot: string;
  /** Branch to merge into. */
  target: string;
  /** Where the target stood when the merge was planned. */
  from: string;
  head: string;
  message: string;
  /** The run that asks; only marks the worktree when it is made. */
  run: string;
  nonce?: string;
}

export interface MergeTree {
  /** The merge commit, reachable from the merge worktree's HEAD alone. */
  commit: string;
  tree: string;
  /** The merge worktree, which holds exactly that tree. */
  path: string;
}

/**
 * Builds the merge commit of `from` and `head` with the user's identity, and puts it, detached and clean, into the
 * target's merge worktree. No branch moves.
 * @throws AgentKitError `conflict` when they conflict or the folder is not ours, `refused` without an identity
 */
export async function prepareMergeTree(request: MergeTreeRequest): Promise<MergeTree> {
  const { root, laneRoot, target, from, head, message } = request;
  const { tree, conflicts } = await mergeTrees(request);
  if (tree === null) {
    throw new AgentKitError(
      'conflict',
      `Merging into ${target} conflicts in ${conflicts.join(', ')}; merge ${target} into the lane and solve it there`,
    );
  }
  await requireIdentity(root);
  const parents = ['-p', from, '-p', head];
  const commit = await gitText(root, ['commit-tree', '--no-gpg-sign', tree, ...parents, '-F', '-'], {
    input: message,
  });
  const path = mergeTreeFolder(laneRoot, target);
  const worktree = { ...request, path, nonce: request.nonce ?? randomBytes(8).toString('hex') };
  await openMergeWorktree(worktree);
  await fillMergeWorktree(worktree, commit);
  return { commit, tree, path };
}
