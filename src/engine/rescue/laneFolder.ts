import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { isLockedFor, laneReason, readMarkerIn, type LaneIdentity } from '../git/marker.ts';
import { gitText } from '../git/plumbing.ts';

/** Where a lane's work lies, and how git is asked about it. */
export interface LaneFolder {
  root: string;
  commonDir: string;
  /** The worktree. Whatever has become of the `.git` in it, `env` names the right one. */
  path: string;
  /** What git keeps of this worktree: HEAD, index, an operation in progress, submodules. */
  admin: string;
  branch: string;
  env: Record<string, string>;
  /** Hash of the repository's objects, as node:crypto names it. */
  algorithm: string;
  /** Whether objects may be left at a remote: asking for one that is missing would fetch it. */
  partial: boolean;
}

export interface LaneFolderRequest extends LaneIdentity {
  root: string;
  commonDir: string;
  path: string;
  branch: string;
}

/**
 * Finds what belongs to a lane, by git's own list of worktrees, and proves that it is this lane.
 * @throws AgentKitError `not_found` when git has no worktree there, `conflict` when it is another lane's
 */
export async function openLaneFolder(request: LaneFolderRequest): Promise<LaneFolder> {
  const { commonDir, path } = request;
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null) throw new AgentKitError('not_found', `Git knows no worktree at ${path}`);
  const marker = await readMarkerIn(admin);
  const ours =
    marker === null ? await isLockedFor(admin, request) : laneReason(marker) === laneReason(request);
  if (!ours) {
    const cure = existsSync(path) ? '' : '; its folder is gone: run "git worktree prune" and try again';
    throw new AgentKitError(
      'conflict',
      `The worktree that git knows at ${path} is not the one made for ${request.lane}${cure}`,
    );
  }
  return laneFolderWith(request, admin);
}

/** A lane's folder, whose folder in git's administration is known. */
export async function laneFolderWith(
  { root, commonDir, path, branch }: Pick<LaneFolder, 'root' | 'commonDir' | 'path' | 'branch'>,
  admin: string,
): Promise<LaneFolder> {
  const facts = await repositoryFacts(root);
  return { ...facts, root, commonDir, path, admin, branch, env: laneEnv(admin, path) };
}

function laneEnv(admin: string, path: string): Record<string, string> {
  return { GIT_DIR: admin, GIT_WORK_TREE: path };
}

async function repositoryFacts(root: string): Promise<{ algorithm: string; partial: boolean }> {
  const algorithm = await gitText(root, ['rev-parse', '--show-object-format']);
  const partial = await gitText(root, ['config', '--default=', '--get', 'extensions.partialClone']);
  return { algorithm, partial: partial !== '' };
}

/** Files of the admin folder that belong to this worktree's place, not to its work, or are ours. */
export function isPlaceFile(path: string): boolean {
  return ['commondir', 'gitdir', 'locked', 'agentkit.json'].includes(path) || /^[^/]+\.lock$/.test(path);
}

/** Whether the lane's `.git` is the file that git puts into a worktree, which is made anew and not kept. */
export async function isWorktreeLink({ path }: LaneFolder): Promise<boolean> {
  return readFile(join(path, '.git'), 'latin1').then(
    (text) => text.startsWith('gitdir: '),
    () => false,
  );
}
