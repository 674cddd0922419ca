import { join } from 'node:path';
import { readText } from '../git/adminFolders.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import { splitNulText } from '../git/splitNul.ts';
import type { RemovalRequest } from './inspectRemoval.ts';

/** The commits that only a lane may hold. */
export interface LaneCommits {
  /** Where its branch stands; null when it is gone. */
  tip: string | null;
  /** Tip of the branch and HEAD, each once; what is there of them. */
  heads: string[];
  /** What else it points to: earlier positions in its reflogs, and refs that belong to its worktree alone. */
  others: string[];
}

/** @param admin git's folder of the worktree; null when git does not know it any more */
export async function commitsOfLane(
  { root, commonDir, branch }: Pick<RemovalRequest, 'root' | 'commonDir' | 'branch'>,
  admin: string | null,
): Promise<LaneCommits> {
  const tip = await tipOf(root, branch);
  const ref = `refs/heads/${branch}`;
  const candidates = await reflogOf(join(commonDir, 'logs', ref));
  const heads = tip === null ? [] : [tip];
  if (admin !== null) {
    const env = { GIT_DIR: admin };
    const head = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
      env,
      okCodes: [0, 1, 128],
    });
    if (head.code === 0) heads.push(head.stdout.toString('utf8').trim());
    candidates.push(...(await reflogOf(join(admin, 'logs', 'HEAD'))));
    const own = ['refs/worktree', 'refs/bisect', 'refs/rewritten'];
    const { stdout } = await git(root, ['for-each-ref', '--format=%(objectname)%00', ...own], { env });
    candidates.push(...splitNulText(stdout).map((oid) => oid.trim()));
  }
  const unique = [...new Set(heads)];
  const others = (await commitsThere(root, candidates)).filter((commit) => !unique.includes(commit));
  return { tip, heads: unique, others };
}

/**
 * How many commits behind these no ref has except those left out. Other worktrees' own refs and HEADs do not count:
 * they may be gone next.
 */
export async function countBeyond(
  root: string,
  commits: readonly string[],
  without: readonly string[] = [],
): Promise<number> {
  if (commits.length === 0) return 0;
  const others = [...without.map((ref) => `--exclude=${ref}`), '--all'];
  const args = ['rev-list', '--count', '--single-worktree', '--stdin', '--not', ...others];
  const { stdout } = await git(root, args, { input: commits.map((commit) => `${commit}\n`).join('') });
  return Number(stdout.toString('utf8').trim());
}

/** Old and new commits of a reflog file; none when there is no such file. */
async function reflogOf(file: string): Promise<string[]> {
  const lines = ((await readText(file)) ?? '').split('\n');
  return lines.flatMap((line) => /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /.exec(line)?.slice(1) ?? []);
}

/** Those of them that are commits and still in the object store; a reflog outlives what it names. */
async function commitsThere(root: string, oids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(oids)].filter((oid) => /^[0-9a-f]+$/.test(oid) && !/^0+$/.test(oid));
  if (wanted.length === 0) return [];
  const { stdout } = await git(root, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: wanted.map((oid) => `${oid}\n`).join(''),
  });
  const lines = stdout.toString('utf8').split('\n');
  return lines.flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, -' commit'.length)] : []));
}
