import { git } from '../git/plumbing.ts';
import { operationInProgress } from '../git/operationInProgress.ts';
import { commitsOfLane, countBeyond } from './commitsOfLane.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import { isMerged } from './isMerged.ts';
import { submodulesOf } from './submodulesOf.ts';
import { uncommittedIn } from './uncommittedIn.ts';

/** A commit that keeps a lane. */
export interface Rescued {
  /** Below `refs/agentkit/rescue/`. */
  ref: string;
  /** Its parents cover the lane's commits, its tree what stood in none. */
  commit: string;
  /** Where the lane's branch stood then; null when it was gone. */
  tip: string | null;
}

const again = 'rescue the lane again';
const first = 'rescue the lane first';

/** What of a lane's folder neither a commit nor the rescue has; each with the cure. */
export async function folderGaps(
  folder: string,
  admin: string,
  rescued: Rescued | null,
  root: string,
): Promise<string[]> {
  const { dirty, untracked, changedMs } = await uncommittedIn(folder);
  const files = [...dirty, ...untracked];
  if (rescued !== null) {
    if (files.length === 0) return [];
    // The commit was written last, and its time has no fractions.
    const rescuedMs = (await writtenAt(root, rescued.commit)) + 999;
    return changedMs > rescuedMs ? [`Files in ${folder} were changed after its rescue; ${again}`] : [];
  }
  const gaps: string[] = [];
  if (files.length > 0) gaps.push(`${folder} has uncommitted work (${some(files)}); ${first}`);
  const operation = await operationInProgress(admin);
  if (operation !== null) gaps.push(`A ${operation} is under way in ${folder}; finish it, or ${first}`);
  for (const { path, dirty: changed, unpushed } of await submodulesOf(folder, admin)) {
    if (!changed && unpushed === 0) continue;
    const what = changed ? 'uncommitted work' : `${unpushed} commits that none of its remotes has`;
    gaps.push(`The submodule ${path} of ${folder} has ${what}; push it, or ${first}`);
  }
  return gaps;
}

/** What of a lane's commits would be lost, and whether its branch may go. */
export interface CommitGaps {
  /** Where the branch stands; null when it is gone. */
  tip: string | null;
  gaps: string[];
  /** Why the branch has to stay; null when all of it is merged or rescued. */
  keepBranch: string | null;
}

/** @param folderIsThere without it, a branch that has to stay keeps nothing else from being cleared away */
export async function commitGaps(
  request: RemovalRequest,
  { admin, folderIsThere }: { admin: string | null; folderIsThere: boolean },
  rescued: Rescued | null,
): Promise<CommitGaps> {
  const { root, branch, target } = request;
  const { tip, heads, others } = await commitsOfLane(request, admin);
  const ref = `refs/heads/${branch}`;
  const where = `Lane ${request.lane}`;
  if (rescued !== null) {
    const gaps = await rescueIsThere(root, rescued);
    if (tip !== null && tip !== rescued.tip)
      gaps.push(`${branch} has moved since the lane's rescue; ${again}`);
    if (gaps.length > 0) return { tip, gaps, keepBranch: `it is not in the rescue ${rescued.ref}` };
    const lost = await countBeyond(root, [...heads, ...others], [ref]);
    if (lost > 0) gaps.push(`${where} has ${lost} commits that its rescue ${rescued.ref} lacks; ${again}`);
    return { tip, gaps, keepBranch: lost > 0 ? `it is not in the rescue ${rescued.ref}` : null };
  }
  const merged = await Promise.all(heads.map((head) => isMerged(request, head)));
  const open = heads.filter((_, i) => merged[i] === false);
  const into = target === null ? 'anything' : target;
  const keepBranch = tip !== null && open.includes(tip) ? `it is not merged into ${into}` : null;
  // What the branch itself keeps is not lost with the folder's entry, when the branch stays.
  const without = folderIsThere || keepBranch === null ? [ref] : [];
  const gaps: string[] = [];
  const lost = await countBeyond(root, open, without);
  if (lost > 0)
    gaps.push(`${where} has ${lost} commits that are neither merged nor pushed; merge them, or ${first}`);
  const early =
    (await countBeyond(root, [...heads, ...others], without)) - (await countBeyond(root, heads, without));
  if (early > 0) gaps.push(`${where} has ${early} commits in its reflog alone; ${first}`);
  return { tip, gaps, keepBranch };
}

async function rescueIsThere(root: string, { ref, commit }: Rescued): Promise<string[]> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = await git(root, args, { okCodes: [0, 1, 128] });
  const isThere = ref.startsWith('refs/agentkit/rescue/') && found.stdout.toString('utf8').trim() === commit;
  return isThere
    ? []
    : [`The rescue ${ref} is not there, or is not ${commit.slice(0, 10)} any more; ${again}`];
}

async function writtenAt(root: string, commit: string): Promise<number> {
  const { stdout } = await git(root, ['show', '--no-patch', '--format=%ct', commit, '--']);
  return Number(stdout.toString('utf8').trim()) * 1000;
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
