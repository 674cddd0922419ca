import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseNameStatus } from './changedFiles.ts';
import { git } from './plumbing.ts';
import { readStatus } from './readStatus.ts';
import { splitNulText } from './splitNul.ts';

interface Move {
  /** A checkout that stands on `from`. */
  checkout: string;
  from: string;
  /** Commit or tree it would be moved to. */
  to: string;
}

/**
 * The user's files that moving a checkout would overwrite: changed, staged, untracked, and ignored ones, which git
 * itself would replace without a word.
 */
export async function mergeBlockers({ checkout, from, to }: Move): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', '--no-ext-diff', from, to, '--'];
  const changes = parseNameStatus(splitNulText((await git(checkout, args)).stdout));
  const touched = new Set(changes.map((change) => change.path));
  const blockers = new Set(
    (await readStatus(checkout)).map((entry) => entry.path).filter((path) => touched.has(path)),
  );
  for (const { path, status } of changes) {
    if (status !== 'added') continue;
    for (const found of await inTheWay(checkout, path, touched)) blockers.add(found);
  }
  return [...blockers].sort();
}

/** What already lies where a new file would go. Tracked files that the move itself takes away do not count. */
async function inTheWay(checkout: string, path: string, touched: ReadonlySet<string>): Promise<string[]> {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const name = parts.slice(0, depth).join('/');
    const found = await lstat(join(checkout, name)).catch(() => null);
    if (found === null) return [];
    if (found.isDirectory()) {
      if (depth === parts.length) return untrackedIn(checkout, name);
    } else {
      return depth < parts.length && touched.has(name) ? [] : [name];
    }
  }
  return [];
}

/** Untracked files below a folder, ignored ones too. */
async function untrackedIn(checkout: string, folder: string): Promise<string[]> {
  const { stdout } = await git(checkout, ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', folder]);
  return splitNulText(stdout);
}
