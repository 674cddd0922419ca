import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStatus, type StatusEntry } from './parseStatus.ts';
import { git, gitText, type GitOptions } from './plumbing.ts';
import { isSparse } from './sparseState.ts';
import { splitNul } from './splitNul.ts';
import { updateIndex } from './updateIndex.ts';

/**
 * Everything in which a checkout differs from its HEAD: staged, unstaged, untracked; not what is ignored.
 *
 * Files that its index says not to look at (assume-unchanged, skip-worktree) are looked at all the same, with a copy
 * of the index: else a tree could be called clean that is not. Changes nothing in the checkout.
 */
export async function readStatus(path: string): Promise<StatusEntry[]> {
  const hidden = await hiddenPaths(path);
  if (hidden.length === 0) return status(path);
  const folder = await mkdtemp(join(tmpdir(), 'agentkit-index-'));
  try {
    const copy = join(folder, 'index');
    await copyIndex(path, copy);
    const env = { GIT_INDEX_FILE: copy };
    await unhide(path, hidden, { env });
    return await status(path, { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Raw paths of the index entries that git was told not to compare with the worktree. Files that sparse patterns leave
 * out are no such: of those, git itself sees the ones that are there.
 */
export async function hiddenPaths(path: string): Promise<Buffer[]> {
  const { stdout } = await git(path, ['ls-files', '-v', '-z']);
  const fields = splitNul(stdout).map((field) => ({
    tag: field.subarray(0, 1).toString('latin1'),
    raw: field.subarray(2),
  }));
  const skipped = fields.some(({ tag }) => tag === 'S') && !(await isSparse(path));
  return fields
    .filter(({ tag }) => tag !== tag.toUpperCase() || (skipped && tag === 'S'))
    .map(({ raw }) => raw);
}

/** Makes git look at index entries again. */
export async function unhide(
  path: string,
  hidden: readonly Buffer[],
  options: GitOptions = {},
): Promise<void> {
  await updateIndex(path, ['--no-assume-unchanged'], hidden, options);
  if (!(await isSparse(path))) await updateIndex(path, ['--no-skip-worktree'], hidden, options);
}

async function status(path: string, options: GitOptions = {}): Promise<StatusEntry[]> {
  const args = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'];
  return parseStatus(splitNul((await git(path, ['status', ...args], options)).stdout));
}

async function copyIndex(path: string, copy: string): Promise<void> {
  const index = await gitText(path, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  await copyFile(index, copy);
  // A newer index would make git trust files that changed in the very second in which the real one was written.
  const written = Math.floor((await stat(index)).mtimeMs / 1000);
  await utimes(copy, written, written);
}
