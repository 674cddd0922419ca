import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitText } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

/** Whether a worktree leaves files out by sparse patterns. */
export async function isSparse(path: string): Promise<boolean> {
  const args = ['config', '--type=bool', '--default=false', '--get', 'core.sparseCheckout'];
  return (await gitText(path, args)) === 'true';
}

/** Hash of a worktree's sparse patterns; null when sparse checkout is off and everything is checked out. */
export async function sparseState(path: string, admin: string): Promise<string | null> {
  if (!(await isSparse(path))) return null;
  const patterns = await readFile(join(admin, 'info', 'sparse-checkout')).catch(() => Buffer.alloc(0));
  return createHash('sha256').update(patterns).digest('hex');
}

/** Tracked files that sparse patterns leave out of the worktree. */
export async function sparsePaths(path: string): Promise<string[]> {
  const { stdout } = await git(path, ['ls-files', '-t', '-z']);
  return splitNulText(stdout)
    .filter((field) => field.startsWith('S '))
    .map((field) => field.slice(2));
}
