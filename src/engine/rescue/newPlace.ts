import { relative, resolve, join } from 'node:path';
import { isInside } from '../git/realPathOf.ts';
import { fromText, parentOf, toText } from './byteNames.ts';

/** A lane's place: its worktree, its admin folder and its branch. */
export interface Place {
  path: string;
  admin: string;
  branch: string;
}

/**
 * Moves what lies in the old place to the same spot of the new one. Null for a path that is in neither, or when
 * nothing has moved.
 */
function moved(path: string, from: Place, to: Place): string | null {
  for (const key of ['admin', 'path'] as const) {
    if (isInside(path, from[key]) && from[key] !== to[key]) return join(to[key], relative(from[key], path));
  }
  return null;
}

/** The `.git` file of a repository in the worktree, pointing to the admin folder's new place when it was in the old. */
export function adjustGitFile(path: string, content: Buffer, from: Place, to: Place): Buffer {
  const [, named] = /^gitdir: ([^]*?)\n*$/.exec(content.toString('latin1')) ?? [];
  if (named === undefined) return content;
  const folder = toText(parentOf(path));
  const old = resolve(from.path, folder, toText(named));
  const samePlace = from.path === to.path && from.admin === to.admin;
  if (samePlace || !isInside(old, from.admin)) return content;
  const target = moved(old, from, to) ?? old;
  const isAbsolute = named.startsWith('/');
  const written = isAbsolute ? target : relative(join(to.path, folder), target);
  return Buffer.from(`gitdir: ${fromText(written)}\n`, 'latin1');
}

/** What a submodule's `core.worktree` must be in the new place; null when it can stay. */
export function adjustWorktreeSetting(
  gitFolder: string,
  value: string,
  from: Place,
  to: Place,
): string | null {
  if (from.path === to.path && from.admin === to.admin) return null;
  const old = resolve(from.admin, gitFolder, value);
  if (!isInside(old, from.path)) return null;
  const target = moved(old, from, to) ?? old;
  return value.startsWith('/') ? target : relative(join(to.admin, gitFolder), target);
}

/** Files of an operation in progress that name the lane's branch, with its new name in them. */
export function adjustAdminFile(path: string, content: Buffer, from: Place, to: Place): Buffer {
  if (from.branch === to.branch) return content;
  const [old, fresh] = [fromText(from.branch), fromText(to.branch)];
  const exactly = (before: string) => {
    const isIt = content.toString('latin1').replace(/\n$/, '') === `${before}${old}`;
    return isIt ? Buffer.from(`${before}${fresh}\n`, 'latin1') : content;
  };
  switch (path) {
    case 'HEAD':
      return exactly('ref: refs/heads/');
    case 'rebase-merge/head-name':
    case 'rebase-apply/head-name':
      return exactly('refs/heads/');
    case 'BISECT_START':
      return exactly('');
    case 'rebase-merge/update-refs': {
      const lines = content.toString('latin1').split('\n');
      const renamed = lines.map((line) => (line === `refs/heads/${old}` ? `refs/heads/${fresh}` : line));
      return Buffer.from(renamed.join('\n'), 'latin1');
    }
    default:
      return content;
  }
}
