import { gitText } from './plumbing.ts';

/** A branch as a remote had it when it was fetched last. */
export interface RemoteBranch {
  remote: string;
  /** Its name on the remote, without `refs/heads/`. */
  branch: string;
}

export async function listRemotes(root: string): Promise<string[]> {
  return (await gitText(root, ['remote'])).split('\n').filter((name) => name !== '');
}

/** The remote that new work starts from: `origin`, else the only one; null when neither is there. */
export function mainRemote(remotes: readonly string[]): string | null {
  if (remotes.includes('origin')) return 'origin';
  return remotes.length === 1 ? (remotes[0] ?? null) : null;
}

/** What a name like `origin/main` means; null when no remote is called so. Names of remotes may have slashes. */
export function splitRemoteBranch(name: string, remotes: readonly string[]): RemoteBranch | null {
  const fitting = remotes.filter((remote) => name.startsWith(`${remote}/`));
  const [remote] = fitting.sort((a, b) => b.length - a.length);
  return remote === undefined ? null : { remote, branch: name.slice(remote.length + 1) };
}
