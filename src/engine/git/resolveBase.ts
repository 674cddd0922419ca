import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from './plumbing.ts';

/** The commit that lanes start from. */
export interface Base {
  /** As the user named it, the current branch, or `HEAD` when that is detached. */
  ref: string;
  sha: string;
  /** What the user may not expect of it, one line each. */
  warnings: string[];
}

/**
 * What was asked for, else the current branch of this checkout, else the commit it stands on. Never a guess at `main`.
 * @throws AgentKitError `not_found` when there is no such branch, tag or commit
 */
export async function resolveBase({ root }: { root: string }, requested?: string): Promise<Base> {
  const ref = requested ?? (await currentBranch(root)) ?? 'HEAD';
  const tip = await tipOf(root, ref);
  if (tip !== null) return { ref, sha: tip, warnings: await upstreamWarnings(root, ref) };
  const sha = await commitOf(root, ref);
  if (sha === null) {
    throw new AgentKitError(
      'not_found',
      `There is no branch, tag or commit "${ref}" in ${root}; "git branch --all" lists the branches, "git fetch" brings new ones`,
    );
  }
  return { ref, sha, warnings: [] };
}

/** The branch that a checkout stands on, without `refs/heads/`; null when its HEAD is detached. */
export async function currentBranch(root: string): Promise<string | null> {
  const { code, stdout } = await git(root, ['symbolic-ref', '--quiet', 'HEAD'], { okCodes: [0, 1] });
  const ref = stdout.toString('utf8').trimEnd();
  return code === 0 && ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}

/** The commit at the tip of a local branch; null when there is no such branch. */
export async function tipOf(root: string, branch: string): Promise<string | null> {
  return commitOf(root, `refs/heads/${branch}`);
}

async function commitOf(root: string, name: string): Promise<string | null> {
  if (name.startsWith('-')) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git(root, args, { okCodes: [0, 1, 128] });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

/** Every lane inherits what the base has and its upstream has not, and lacks the reverse. */
async function upstreamWarnings(root: string, branch: string): Promise<string[]> {
  const format = '--format=%(upstream:short)%00%(upstream:track,nobracket)';
  const line = await gitText(root, ['for-each-ref', format, `refs/heads/${branch}`]);
  const [upstream = '', track = ''] = line.split('\0');
  if (upstream === '' || track === '' || track === 'gone') return [];
  return [`${branch} is ${track} of ${upstream}: lanes start from ${branch} as it is here.`];
}
