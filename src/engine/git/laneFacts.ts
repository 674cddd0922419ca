import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderOf } from './adminFolders.ts';
import { readMarkerIn } from './marker.ts';
import { operationInProgress } from './operationInProgress.ts';
import { gitText } from './plumbing.ts';
import { readStatus } from './readStatus.ts';
import { tipOf } from './resolveBase.ts';
import { sparsePaths, sparseState } from './sparseState.ts';

/** What a lane's worktree holds now, read anew from git. */
export interface LaneFacts {
  /** Commit that its HEAD stands on. */
  head: string;
  /** Tip of the branch that was asked for; null when it is gone, or none was named. */
  branchTip: string | null;
  /** Whether its files are exactly those of `head`; ignored files do not count. */
  clean: boolean;
  /** Changed and untracked paths, each once. */
  dirty: string[];
  /** Those of them that git does not track. */
  untracked: string[];
  /** `merge`, `rebase`, … when it is in the middle of one. */
  operation: string | null;
}

/** @throws AgentKitError `not_found` when the folder is gone, `conflict` when it is no worktree of git's any more */
export async function laneFacts({
  path,
  branch,
}: {
  path: string;
  branch: string | null;
}): Promise<LaneFacts> {
  // The first call also tells a missing folder from one that has lost its link to the repository.
  const head = await gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const admin = await adminFolderOf(path);
  if (admin === null) {
    throw new AgentKitError(
      'conflict',
      `${path} is no worktree of the repository any more: its .git file was changed, or one of the two was moved; mend it from the main checkout: git worktree repair "${path}"`,
    );
  }
  const entries = await readStatus(path);
  const changed = entries.map((entry) => entry.path);
  const dirty = [...new Set([...changed, ...(await newlyHidden(path, admin))])];
  return {
    head,
    branchTip: branch === null ? null : await tipOf(path, branch),
    clean: dirty.length === 0,
    dirty,
    untracked: entries.flatMap((entry) => (entry.index === '?' ? [entry.path] : [])),
    operation: await operationInProgress(admin),
  };
}

/** Files left out by sparse patterns that are not those it was made with: a gate would not see them. */
async function newlyHidden(path: string, admin: string): Promise<string[]> {
  const marker = await readMarkerIn(admin);
  if (marker === null || (await sparseState(path, admin)) === marker.sparse) return [];
  return sparsePaths(path);
}
