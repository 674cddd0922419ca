import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/agentKitError.ts';
import { git } from './plumbing.ts';
import { readStatus } from './readStatus.ts';

interface PostCheckout {
  path: string;
  base: string;
  hooks: string;
  marks?: Record<string, string> | undefined;
}

/** Longest that a hook may take, in milliseconds: some install dependencies. */
const patienceMs = 10 * 60 * 1000;

/**
 * Runs the repository's `post-checkout` hook in a fresh worktree as `git worktree add` would. The checkout is complete
 * by then, so what goes wrong in the hook is a warning.
 * @param hooks Folder of the hooks that hold there
 * @param marks Variables by which what the hook leaves running is known
 */
export async function runPostCheckout(
  { path, base, hooks, marks = {} }: PostCheckout,
  timeoutMs = patienceMs,
): Promise<string[]> {
  if (!(await mayRun(join(hooks, 'post-checkout')))) return [];
  const args = ['hook', 'run', '--ignore-missing', 'post-checkout', '--', '0'.repeat(base.length), base, '1'];
  const warnings: string[] = [];
  try {
    await git(path, args, { hooks: true, timeoutMs, env: marks });
  } catch (error) {
    warnings.push(`The post-checkout hook failed: ${messageOf(error)}`);
  }
  const changed = (await readStatus(path)).map((entry) => entry.path);
  if (changed.length > 0)
    warnings.push(`The post-checkout hook changed files: ${changed.slice(0, 10).join(', ')}`);
  return warnings;
}

async function mayRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
