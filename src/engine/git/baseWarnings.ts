import { git, gitText } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

interface FoundBase {
  ref: string;
  sha: string;
  branch: string | null;
  /** Whether somebody asked for it; else it was found. */
  named: boolean;
}

/** What somebody may not expect of the commit that lanes start from, one sentence each. */
export async function baseWarnings(root: string, base: FoundBase): Promise<string[]> {
  const { branch, ref } = base;
  const warnings = branch === ref ? await upstreamWarnings(root, ref) : await localWarnings(root, base);
  if (base.named) return warnings;
  return [...warnings, ...(await checkoutWarnings(root, base))];
}

/** Every lane inherits what the base has and its upstream has not, and lacks the reverse. */
async function upstreamWarnings(root: string, branch: string): Promise<string[]> {
  const format = '--format=%(upstream:short)%00%(upstream:track,nobracket)';
  const line = await gitText(root, ['for-each-ref', format, `refs/heads/${branch}`]);
  const [upstream = '', track = ''] = line.split('\0');
  if (upstream === '' || track === '' || track === 'gone') return [];
  return [`${branch} is ${track} of ${upstream}: lanes start from ${branch} as it is here.`];
}

/** How the local branch, into which lanes will be merged, stands to the remote one that they start from. */
async function localWarnings(root: string, { ref, sha, branch }: FoundBase): Promise<string[]> {
  if (branch === null || !(await hasBranch(root, branch))) return [];
  const { ahead, behind } = await distance(root, `refs/heads/${branch}`, sha);
  return [
    ...(ahead > 0
      ? [
          `${branch} here is ahead of its upstream ${ref} by ${ahead}: lanes start without that; to have it, name as base: ${branch}`,
        ]
      : []),
    ...(behind > 0 ? [`${branch} here is ${behind} behind ${ref}: merging a lane brings that along.`] : []),
  ];
}

/** A base that nobody named may be another than the one that is being worked on. */
async function checkoutWarnings(root: string, { ref, sha, branch }: FoundBase): Promise<string[]> {
  const head = await git(root, ['rev-parse', '--symbolic-full-name', 'HEAD'], { okCodes: [0, 128] });
  const current = head.stdout.toString('utf8').trimEnd();
  if (head.code !== 0 || current === `refs/heads/${branch}`) return [];
  const name = current.startsWith('refs/heads/') ? current.slice('refs/heads/'.length) : 'HEAD';
  const { ahead } = await distance(root, 'HEAD', sha);
  if (ahead === 0) return [];
  if (!(await sharesHalf(root, sha)))
    return [
      `${ref} has less than half of the files that are checked out here: is it the right branch? Set base, as to ${name}`,
    ];
  return [
    `${name}, checked out here, has ${ahead} that ${ref} has not: lanes start without that; to have it, name as base: ${name}`,
  ];
}

async function hasBranch(root: string, branch: string): Promise<boolean> {
  const args = ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`];
  return (await git(root, args, { okCodes: [0, 1] })).code === 0;
}

/** Commits that only `from` has, and only `to` has. */
async function distance(root: string, from: string, to: string): Promise<{ ahead: number; behind: number }> {
  const counts = await gitText(root, ['rev-list', '--left-right', '--count', `${from}...${to}`, '--']);
  const [ahead = 0, behind = 0] = counts.split('\t').map(Number);
  return { ahead, behind };
}

/** Whether at least half of the files checked out are, by their paths, in the commit too. */
async function sharesHalf(root: string, sha: string): Promise<boolean> {
  const [here, there] = await Promise.all([paths(root, 'HEAD'), paths(root, sha)]);
  const known = new Set(there);
  return here.filter((path) => known.has(path)).length * 2 >= here.length;
}

async function paths(root: string, commit: string): Promise<string[]> {
  return splitNulText(
    (await git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])).stdout,
  );
}
