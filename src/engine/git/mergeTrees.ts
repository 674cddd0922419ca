import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Repository } from './openRepository.ts';
import { git } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

export interface MergedTree {
  /** Null when there are conflicts. */
  tree: string | null;
  /** Paths in conflict, each once. */
  conflicts: string[];
}

/**
 * The tree that merging `head` into `from` gives. Writes objects and nothing else.
 *
 * Git takes merge attributes (union, binary, own drivers) from the folder it runs in, not from the commits. So it runs
 * in a folder that holds the attribute files of `from` alone: the result is the same wherever and whenever it is asked.
 */
export async function mergeTrees(merge: Repository & { from: string; head: string }): Promise<MergedTree> {
  const { root, commonDir, from, head } = merge;
  const folder = await mkdtemp(join(tmpdir(), 'agentkit-merge-'));
  try {
    await writeAttributes(root, from, folder);
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', from, head];
    const env = { GIT_DIR: commonDir, GIT_WORK_TREE: folder };
    const { code, stdout } = await git(folder, args, { env, okCodes: [0, 1] });
    const [tree = '', ...names] = splitNulText(stdout);
    if (code === 0) return { tree, conflicts: [] };
    const conflicts = [...new Set(names.filter((name) => name !== ''))];
    return { tree: null, conflicts: conflicts.length > 0 ? conflicts : ['(git names no file)'] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAttributes(root: string, commit: string, folder: string): Promise<void> {
  const { stdout } = await git(root, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  for (const entry of splitNulText(stdout)) {
    const [, oid, path] = /^100\d+ blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry) ?? [];
    if (oid === undefined || path === undefined || basename(path) !== '.gitattributes') continue;
    // A tree made by hand can hold such names; git itself never checks them out.
    if (path.split('/').some((part) => part === '..' || part === '.git')) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), (await git(root, ['cat-file', 'blob', oid])).stdout);
  }
}
