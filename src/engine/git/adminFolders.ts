import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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
  const found = await Promise.all(
    names.map(async (name) => {
      const admin = join(parent, name);
      const gitFile = await readText(join(admin, 'gitdir'));
      return gitFile === null ? [] : [{ admin, path: dirname(resolve(admin, gitFile)) }];
    }),
  );
  return found.flat();
}

/** The admin folder of the linked worktree at a path, which need not exist any more; null when there is none. */
export async function adminFolderAt(commonDir: string, path: string): Promise<string | null> {
  const real = await realPathOf(path);
  // Git keeps real paths, so only one of this name can lead there: with many worktrees the rest need no look.
  const names = new Set([basename(path), basename(real)]);
  for (const folder of await listAdminFolders(commonDir)) {
    if (names.has(basename(folder.path)) && (await realPathOf(folder.path)) === real) return folder.admin;
  }
  return null;
}

/** The git directory of a checkout: its admin folder, or git's common one for the main checkout. */
export async function gitDirOf({ root, commonDir }: Repository, checkout: string): Promise<string | null> {
  const admin = await adminFolderAt(commonDir, checkout);
  if (admin !== null) return admin;
  return (await realPathOf(checkout)) === (await realPathOf(root)) ? commonDir : null;
}

/**
 * The admin folder that a linked worktree's own `.git` file names; null when the folder is no linked worktree, or
 * git's side does not point back to it.
 */
export async function adminFolderOf(path: string): Promise<string | null> {
  const admin = await linkedAdminFolder(path);
  if (admin === null) return null;
  const back = await readText(join(admin, 'gitdir'));
  if (back === null) return null;
  const same = (await realPathOf(dirname(resolve(admin, back)))) === (await realPathOf(path));
  return same ? admin : null;
}

/** The admin folder that a folder's `.git` file names, whether or not git expects the worktree there. */
export async function linkedAdminFolder(path: string): Promise<string | null> {
  const line = await readText(join(path, '.git'));
  return line?.startsWith('gitdir: ') ? resolve(path, line.slice('gitdir: '.length)) : null;
}

/** Text of a small file without its final line end; null when it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.replace(/\n$/, ''),
    () => null,
  );
}
