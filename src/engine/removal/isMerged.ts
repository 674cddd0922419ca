import { mergeTrees } from '../git/mergeTrees.ts';
import { git, gitText } from '../git/plumbing.ts';
import { splitNulText } from '../git/splitNul.ts';
import { countBeyond } from './commitsOfLane.ts';
import type { RemovalRequest } from './inspectRemoval.ts';

/** How many of the target's commits that touch the lane's files are looked at for a squash of it. */
const commitsTried = 50;

/**
 * Whether the target, here or as a remote has it, holds all of a commit's content: by ancestry, or because merging the
 * commit into the target, or into what the target was at some time, changes nothing. So a squash, a rebase and a
 * squash that was changed later are recognised, and an open branch that was only pushed is not merged.
 */
export async function isMerged(
  request: Pick<RemovalRequest, 'root' | 'commonDir' | 'base' | 'branch' | 'target'>,
  commit: string,
): Promise<boolean> {
  const { root, base, branch, target } = request;
  const tips = target === null ? [] : await tipsOf(root, target);
  if (tips.length === 0) {
    // Where there is nothing to merge into, the lane is as it began; even that may be nobody else's any more.
    const isOld = await isAncestor(root, commit, base);
    return isOld && (await countBeyond(root, [commit], [`refs/heads/${branch}`])) === 0;
  }
  for (const tip of tips) {
    if (await isAncestor(root, commit, tip)) return true;
    if (await hasContent(request, commit, tip)) return true;
  }
  return false;
}

/** Where the target stands: the local branch, and what remotes had when they were last asked. */
async function tipsOf(root: string, target: string): Promise<string[]> {
  const patterns = [`refs/heads/${target}`, `refs/remotes/*/${target}`];
  const { stdout } = await git(root, ['for-each-ref', '--format=%(refname)%00%(objectname)%00', ...patterns]);
  const fields = splitNulText(stdout).map((field) => field.trim());
  // A pattern also matches what lies below a name.
  const named = (ref: string) => ref === patterns[0] || ref.replace(/^refs\/remotes\/[^/]+\//, '') === target;
  const tips = fields.flatMap((ref, i) => (i % 2 === 0 && named(ref) ? (fields[i + 1] ?? []) : []));
  return [...new Set(tips)];
}

async function hasContent(
  { root, commonDir }: Pick<RemovalRequest, 'root' | 'commonDir'>,
  commit: string,
  tip: string,
): Promise<boolean> {
  const { code, stdout } = await git(root, ['merge-base', tip, commit], { okCodes: [0, 1] });
  if (code !== 0) return false;
  const common = stdout.toString('utf8').trim();
  const names = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', common, commit, '--'];
  const [first] = splitNulText((await git(root, names)).stdout);
  // Commits that take each other back leave nothing to compare; only ancestry can say that they are kept.
  if (first === undefined) return false;
  const list = ['rev-list', '--first-parent', `--max-count=${commitsTried}`, tip, `^${common}`, '--', first];
  const touching = await gitText(root, list, { env: { GIT_LITERAL_PATHSPECS: '1' } });
  for (const from of new Set([tip, ...touching.split('\n').filter((line) => line !== '')])) {
    const { tree } = await mergeTrees({ root, commonDir, from, head: commit });
    if (tree !== null && tree === (await gitText(root, ['rev-parse', `${from}^{tree}`]))) return true;
  }
  return false;
}

async function isAncestor(root: string, commit: string, of: string): Promise<boolean> {
  return (await git(root, ['merge-base', '--is-ancestor', commit, of], { okCodes: [0, 1] })).code === 0;
}
