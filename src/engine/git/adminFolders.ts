import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Repository } from './openRepository.ts';
import { realPathOf } from './realPathOf.ts';

/** Where git keeps what belongs to one linked worktree (HEAD, index, lock), and the worktree's folder. */
export interface AdminFolder {
  admin: string;
  path: string;
}

/** The admin folders of all linked worktrees, also of those whose folder is gone or detached in the middle of a rebase. */
export async function listAdminFolders(commonDir: string): Promise<AdminFolder[]> {
  const parent = join(commonDir, 'worktrees');
  const names = await readdir(parent).catch(() => []);
  const found: AdminFolder[] = [];
  for (const name of names) {
    const admin = join(parent, name);
    const gitFile = await readText(join(admin, 'gitdir'));
    if (gitFile !== null) found.push({ admin, path: dirname(resolve(admin, gitFile)) });
  }
  return found;
}

/** The admin folder of the linked worktree at a path, which need not exist any more; null when there is none. */
export async function adminFolderAt(commonDir: string, path: string): Promise<string | null> {
  const real = await realPathOf(path);
  for (const folder of await listAdminFolders(commonDir)) {
    if ((await realPathOf(folder.path)) === real) return folder.admin;
  }
  return null;
}

/** The git directory of a checkout: git's common one for the main checkout, else its admin folder. */
export async function gitDirOf({ root, commonDir }: Repository, checkout: string): Promise<string | null> {
  if ((await realPathOf(checkout)) === (await realPathOf(root))) return commonDir;
  return adminFolderAt(commonDir, checkout);
}

/**
 * The admin folder that a linked worktree's own `.git` file names; null when the folder is no linked worktree, or
 * git's side does not point back to it.
 */
export async function adminFolderOf(path: string): Promise<string | null> {
  const line = await readText(join(path, '.git'));
  if (line === null || !line.startsWith('gitdir: ')) return null;
  const admin = resolve(path, line.slice('gitdir: '.length));
  const back = await readText(join(admin, 'gitdir'));
  if (back === null) return null;
  const same = (await realPathOf(dirname(resolve(admin, back)))) === (await realPathOf(path));
  return same ? admin : null;
}

/** Text of a small file without its final line end; null when it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.replace(/\n$/, ''),
    () => null,
  );
}
