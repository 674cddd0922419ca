import { AgentKitError } from '../../core/agentKitError.ts';
import { baseWarnings } from './baseWarnings.ts';
import { git } from './plumbing.ts';
import { listRemotes, mainRemote, splitRemoteBranch } from './remotes.ts';

/** The commit that lanes start from. */
export interface Base {
  /** As the user named it, else the branch that was found (`origin/main`), or `HEAD` when that is detached. */
  ref: string;
  sha: string;
  /** The rule by which it was found, in words. */
  how: string;
  /** The local branch that its lanes are merged into unless somebody says another; it need not exist. Null: none. */
  branch: string | null;
  /** What the user may not expect of it, one line each. */
  warnings: string[];
}

type Found = Omit<Base, 'warnings'>;

const common = ['main', 'master'];

/**
 * What was asked for; else the default branch of the remote, its `main` or `master`, those of this clone, the current
 * branch of this checkout, the commit it stands on. Only what exists is ever taken.
 * @throws AgentKitError `not_found` when there is no such branch, tag or commit
 */
export async function resolveBase({ root }: { root: string }, requested?: string): Promise<Base> {
  const remotes = await listRemotes(root);
  const found =
    requested === undefined ? await findBase(root, remotes) : await namedBase(root, requested, remotes);
  return { ...found, warnings: await baseWarnings(root, { ...found, named: requested !== undefined }) };
}

async function namedBase(root: string, ref: string, remotes: readonly string[]): Promise<Found> {
  const how = 'as asked for';
  const tip = await tipOf(root, ref);
  if (tip !== null) return { ref, sha: tip, how, branch: ref };
  const sha = await commitOf(root, ref);
  if (sha === null) {
    throw new AgentKitError(
      'not_found',
      `There is no branch, tag or commit "${ref}" in ${root}; "git branch --all" lists the branches, "git fetch" brings new ones`,
    );
  }
  const remote = splitRemoteBranch(ref, remotes);
  const isBranch = remote !== null && (await commitOf(root, `refs/remotes/${ref}`)) === sha;
  return { ref, sha, how, branch: isBranch ? remote.branch : null };
}

async function findBase(root: string, remotes: readonly string[]): Promise<Found> {
  const remote = mainRemote(remotes);
  return (
    (remote === null ? null : await remoteBase(root, remote)) ??
    (await localBase(root)) ??
    (await checkedOut(root))
  );
}

async function remoteBase(root: string, remote: string): Promise<Found | null> {
  const head = await git(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`], {
    okCodes: [0, 1],
  });
  const prefix = `refs/remotes/${remote}/`;
  const pointed = head.stdout.toString('utf8').trimEnd();
  const rules = [
    ...(pointed.startsWith(prefix)
      ? [{ branch: pointed.slice(prefix.length), how: `the default branch of ${remote}` }]
      : []),
    ...common.map((branch) => ({ branch, how: `found on ${remote}, of which no default branch is known` })),
  ];
  for (const { branch, how } of rules) {
    const sha = await commitOf(root, `${prefix}${branch}`);
    if (sha !== null) return { ref: `${remote}/${branch}`, sha, how, branch };
  }
  return null;
}

async function localBase(root: string): Promise<Found | null> {
  for (const branch of common) {
    const sha = await tipOf(root, branch);
    if (sha !== null) return { ref: branch, sha, how: `the ${branch} of this clone`, branch };
  }
  return null;
}

async function checkedOut(root: string): Promise<Found> {
  const branch = await currentBranch(root);
  const sha = await commitOf(root, 'HEAD');
  if (sha === null) {
    throw new AgentKitError(
      'not_found',
      `${root} has no commit to start from yet; make a first one: git commit --allow-empty -m "First commit"`,
    );
  }
  const how = branch === null ? 'the commit checked out here' : 'the branch checked out here';
  return { ref: branch ?? 'HEAD', sha, how, branch };
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
