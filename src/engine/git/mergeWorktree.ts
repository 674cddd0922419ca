import { lstat } from 'node:fs/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt } from './adminFolders.ts';
import { checkLaneFolder } from './checkLaneFolder.ts';
import { isLockedFor, laneReason, readMarkerIn, writeMarker, type Marker } from './marker.ts';
import { oneAtATime } from '../store/oneAtATime.ts';
import type { Repository } from './openRepository.ts';
import { git, gitText } from './plumbing.ts';
import { readStatus } from './readStatus.ts';
import { sparseState } from './sparseState.ts';
import { listWorktrees } from './worktreeList.ts';

export interface MergeWorktree extends Repository {
  path: string;
  target: string;
  /** Commit it is made at when there is none yet. */
  from: string;
  run: string;
  nonce: string;
}

/** Finds or makes the merge worktree. @throws AgentKitError `conflict` when the folder is not ours or another target's */
export async function openMergeWorktree(worktree: MergeWorktree): Promise<void> {
  await oneAtATime(worktree.commonDir, async () => {
    const admin = await adminFolderAt(worktree.commonDir, worktree.path);
    if (admin !== null) {
      const { sparse } = await requireOurs(worktree, admin);
      const isThere = (await lstat(worktree.path).catch(() => null)) !== null;
      if (isThere && (await sparseState(worktree.path, admin)) === sparse) return;
      // Somebody deleted the folder, or a check made it leave out files that a gate has to see: it is made anew.
      await git(worktree.root, ['worktree', 'remove', '--force', '--force', worktree.path]);
    }
    await makeWorktree(worktree);
  });
}

/** Puts exactly the files of a commit into the merge worktree. What git ignores (dependencies) stays. */
export async function fillMergeWorktree(
  { commonDir, path, target }: MergeWorktree,
  commit: string,
): Promise<void> {
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null)
    throw new AgentKitError('conflict', `${path} is no worktree of the repository any more`);
  await requireOurs({ path, target }, admin);
  // HEAD first, and itself: if a check has switched to a branch here, a reset would move that branch.
  await git(path, ['update-ref', '--no-deref', '-m', `agentkit merge into ${target}`, 'HEAD', commit]);
  await putBackTracked(path);
  await git(path, ['clean', '--quiet', '-d', '--force', '--force']);
  const left = (await readStatus(path)).map((entry) => entry.path);
  if (left.length > 0) {
    throw new AgentKitError(
      'git_failed',
      `The merge worktree ${path} cannot be made clean: ${left.slice(0, 10).join(', ')}`,
    );
  }
}

/**
 * Takes back what a setup did to tracked files, as a gate judges exactly the merged tree; what else it made stays.
 * @throws AgentKitError `conflict` when the merge worktree stands at another commit by now
 */
export async function restoreMergeWorktree(path: string, commit: string): Promise<void> {
  const head = await gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (head !== commit) {
    const now = `stands at ${head.slice(0, 10)} instead of ${commit.slice(0, 10)}`;
    throw new AgentKitError('conflict', `${path} ${now}: its setup or another merge moved it; merge again`);
  }
  await putBackTracked(path);
}

async function putBackTracked(path: string): Promise<void> {
  const reset = () => git(path, ['reset', '--hard', '--quiet', '--no-recurse-submodules']);
  await reset();
  if ((await readStatus(path)).every(({ index }) => index === '?')) return;
  // Files that the index was told to hide survive a reset; without an index none is hidden.
  await git(path, ['read-tree', '--empty']);
  await reset();
}

/** Only a linked worktree whose marker and git lock agree that we made it for this target is ever cleaned. */
async function requireOurs(
  { path, target }: Pick<MergeWorktree, 'path' | 'target'>,
  admin: string,
): Promise<Marker> {
  const marker = await readMarkerIn(admin);
  const ours =
    marker !== null &&
    marker.lane === mergeLane(target) &&
    marker.branch === target &&
    (await isLockedFor(admin, marker));
  const link = (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;
  if (ours && !link) return marker;
  const owner = marker === null ? 'AgentKit did not make it' : `it is marked as ${laneReason(marker)}`;
  throw new AgentKitError(
    'conflict',
    `${path} is needed to build merges into ${target}, but ${link ? 'it is a link' : owner}; move it away`,
  );
}

async function makeWorktree(worktree: MergeWorktree): Promise<void> {
  const { root, commonDir, path, target, from, run, nonce } = worktree;
  await checkLaneFolder(worktree, path, await listWorktrees(root));
  const identity = { run, lane: mergeLane(target), nonce };
  const lock = ['--lock', '--reason', laneReason(identity)];
  await git(root, ['worktree', 'add', '--quiet', '--no-checkout', '--detach', ...lock, path, from]);
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null)
    throw new AgentKitError('git_failed', `Git made no worktree at ${path}, though it said so`);
  await writeMarker(admin, {
    version: 1,
    ...identity,
    branch: target,
    base: from,
    prepared: true,
    sparse: await sparseState(path, admin),
  });
}

function mergeLane(target: string): string {
  return `.merge-${target}`;
}
