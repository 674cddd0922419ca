import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from './plumbing.ts';
import { listRemotes, splitRemoteBranch, type RemoteBranch } from './remotes.ts';

/** How long a start waits for a remote, in milliseconds. */
export const fetchBudgetMs = 10_000;

/**
 * Fetches the one branch behind a base from its remote: the remote branch that it is, or the upstream of a local one.
 * Asks nobody for a password, runs no hooks, takes no tags. What cannot be fetched in time is told, and the base is
 * what was fetched last.
 * @returns sentences for the user; empty when it is up to date, or nothing is behind it
 */
export async function fetchBase(request: { root: string; ref: string; budgetMs: number }): Promise<string[]> {
  const { root, ref, budgetMs } = request;
  const source = await sourceOf(root, ref);
  if (source === null) return [];
  const { remote, branch } = source;
  const refspec = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const quiet = ['--quiet', '--no-tags', '--no-auto-gc', '--no-write-fetch-head', '--no-recurse-submodules'];
  try {
    const env = await silentEnvironment(root);
    await git(root, ['fetch', ...quiet, '--', remote, refspec], { timeoutMs: budgetMs, env });
    return [];
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    const stands = await standOf(root, `${remote}/${branch}`);
    return [`Could not fetch ${branch} from ${remote}; ${stands} (${firstLine(error.message)})`];
  }
}

async function sourceOf(root: string, ref: string): Promise<RemoteBranch | null> {
  const format = '--format=%(upstream:remotename)%00%(upstream:remoteref)';
  const local = await gitText(root, ['for-each-ref', format, `refs/heads/${ref}`]);
  // A local branch goes before a remote one of that name; a pattern may also match branches below it.
  const [remote = '', name = ''] = (local.split('\n')[0] ?? '').split('\0');
  const remotes = await listRemotes(root);
  if (local !== '') {
    return remotes.includes(remote) ? { remote, branch: name.replace(/^refs\/heads\//, '') } : null;
  }
  const found = splitRemoteBranch(ref, remotes);
  if (found === null) return null;
  const args = ['show-ref', '--verify', '--quiet', `refs/remotes/${ref}`];
  return (await git(root, args, { okCodes: [0, 1] })).code === 0 ? found : null;
}

/** Nobody sits there to answer: whatever would ask fails at once. */
async function silentEnvironment(root: string): Promise<Record<string, string>> {
  const ssh = await gitText(root, ['config', '--default=ssh', '--get', 'core.sshCommand']);
  return {
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
    GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`,
  };
}

async function standOf(root: string, name: string): Promise<string> {
  const { code, stdout } = await git(
    root,
    ['log', '-1', '--format=%h of %cI', `refs/remotes/${name}`, '--'],
    {
      okCodes: [0, 128],
    },
  );
  return code === 0 ? `${name} is ${stdout.toString('utf8').trimEnd()}` : `${name} was never fetched`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
