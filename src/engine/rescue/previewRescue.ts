import { join } from 'node:path';
import { operationInProgress } from '../git/operationInProgress.ts';
import { git, gitText } from '../git/plumbing.ts';
import { readStatus } from '../git/readStatus.ts';
import { splitNul } from '../git/splitNul.ts';
import { toText } from './byteNames.ts';
import { chooseIgnored } from './ignoredBudget.ts';
import { laneFolderWith, openLaneFolder, type LaneFolder, type LaneFolderRequest } from './laneFolder.ts';
import { branchLogFile, readGitState } from './laneState.ts';
import { namedObjects } from './namedObjects.ts';
import { notKept } from './notKept.ts';
import { reflogOnly } from './reflogOnly.ts';
import { scanWorktree, type Worktree } from './scanWorktree.ts';

/** What a rescue would have to keep, for people to read before they decide. */
export interface RescuePreview {
  /** Tracked paths that differ from HEAD, staged or not. */
  changed: string[];
  untracked: string[];
  /** Ignored files that would go to the archive, as far as they fit. */
  ignored: { files: number; bytes: number; largest: { path: string; bytes: number }[] };
  /** Commits that only the lane's reflogs still name. */
  reflogOnly: string[];
  /** Git's command that the lane is in the middle of; null when none. */
  operation: string | null;
  /** Repositories in the lane that are no submodules. */
  nested: string[];
  submodules: { path: string; dirty: boolean; unpushed: number }[];
  /** What no rescue could hold. */
  notKept: { path: string; reason: string }[];
}

/** How many of the largest ignored files are named. */
const largestNamed = 10;

/**
 * Looks at what a rescue would keep. Changes nothing.
 * @param request `at`: where the folder lies when somebody has moved it
 * @throws AgentKitError `not_found`, `conflict` when the worktree is another lane's, `not_accessible`, `git_failed`
 */
export async function previewRescue(
  request: LaneFolderRequest & { leaveOut: readonly string[]; archiveLimit: number; at?: string },
): Promise<RescuePreview> {
  const { at, ...asked } = request;
  const known = await openLaneFolder(asked);
  const lane = at === undefined ? known : await laneFolderWith({ ...asked, path: at }, known.admin);
  const worktree = await scanWorktree(lane, request.leaveOut);
  const status = worktree.gone ? [] : await readStatus(lane.path);
  const left = worktree.leftOut.map(toText);
  const entries = status.filter(
    ({ path }) => !left.some((folder) => path === folder || path.startsWith(`${folder}/`)),
  );
  const isUntracked = ({ index }: { index: string }) => index === '?';
  const modules = await submodulePaths(lane);
  return {
    changed: entries.filter((entry) => !isUntracked(entry)).map(({ path }) => path),
    untracked: entries.filter(isUntracked).map(({ path }) => path),
    ignored: sumIgnored(worktree),
    notKept: notKept(
      worktree,
      await namedObjects(lane, await readGitState(lane)),
      chooseIgnored(worktree.ignored, request.archiveLimit),
      lane.path,
    ),
    reflogOnly: await reflogOnly(lane, [
      join(lane.admin, 'logs', 'HEAD'),
      branchLogFile(lane.commonDir, lane.branch),
    ]),
    operation: await operationInProgress(lane.admin),
    nested: worktree.nested.filter((path) => !modules.has(path)).map(toText),
    submodules: await Promise.all(
      worktree.nested.filter((path) => modules.has(path)).map((path) => lookInto(lane, toText(path))),
    ),
  };
}

function sumIgnored({ ignored }: Worktree): RescuePreview['ignored'] {
  const files = ignored.map(({ entry }) => entry).filter(({ kind }) => kind === 'file');
  const bySize = [...files].sort((a, b) => b.size - a.size).slice(0, largestNamed);
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    largest: bySize.map(({ path, size }) => ({ path: toText(path), bytes: size })),
  };
}

/** Raw paths that the lane's index has as submodules. */
async function submodulePaths(lane: LaneFolder): Promise<Set<string>> {
  const { stdout } = await git(lane.admin, ['ls-files', '--stage', '-z'], { env: lane.env });
  const lines = splitNul(stdout).map((line) => line.toString('latin1'));
  const modules = lines.filter((line) => line.startsWith('160000 '));
  return new Set(modules.map((line) => line.slice(line.indexOf('\t') + 1)));
}

async function lookInto(
  lane: LaneFolder,
  path: string,
): Promise<{ path: string; dirty: boolean; unpushed: number }> {
  const folder = join(lane.path, path);
  const status = await readStatus(folder);
  const own = ['rev-list', '--count', '--branches', '--not', '--remotes'];
  const head = await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'], { okCodes: [0, 1] });
  const args = head.code === 0 ? ['rev-list', '--count', '--branches', 'HEAD', '--not', '--remotes'] : own;
  return { path, dirty: status.length > 0, unpushed: Number(await gitText(folder, args)) };
}
