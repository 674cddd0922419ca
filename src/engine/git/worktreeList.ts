import { git } from './plumbing.ts';

/** A checkout of the repository as git lists it. The first of a list is the main one. */
export interface Worktree {
  path: string;
  /** Commit it stands on; null when there is none yet, or it is bare. */
  head: string | null;
  /** Branch it has checked out, without `refs/heads/`; null when detached. */
  branch: string | null;
  bare: boolean;
  /** Reason of its lock, empty when none was given; null when it is not locked. */
  locked: string | null;
  /** Why git would drop it; null when its folder is there. */
  prunable: string | null;
}

const noCommit = /^0+$/;

export async function listWorktrees(root: string): Promise<Worktree[]> {
  const { stdout } = await git(root, ['worktree', 'list', '--porcelain', '-z']);
  return parseWorktreeList(stdout.toString('utf8'));
}

/** Parses `git worktree list --porcelain -z`: attributes end with a zero byte, records with one more. */
export function parseWorktreeList(output: string): Worktree[] {
  const worktrees: Worktree[] = [];
  for (const record of output.split('\0\0')) {
    const attributes = new Map<string, string>();
    for (const attribute of record.split('\0')) {
      const [, name = '', value = ''] = /^([^ ]*) ?([\s\S]*)$/.exec(attribute) ?? [];
      attributes.set(name, value);
    }
    const path = attributes.get('worktree');
    if (path === undefined) continue;
    const head = attributes.get('HEAD');
    worktrees.push({
      path,
      head: head === undefined || noCommit.test(head) ? null : head,
      branch: attributes.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
      bare: attributes.has('bare'),
      locked: attributes.get('locked') ?? null,
      prunable: attributes.get('prunable') ?? null,
    });
  }
  return worktrees;
}
