import { git } from '../git/plumbing.ts';
import { parentOf, toBytes } from './byteNames.ts';

/** One thing in a tree. */
export interface Leaf {
  /** Raw path with its names encoded. */
  path: string;
  mode: '100644' | '100755' | '120000' | '040000';
  oid: string;
}

/**
 * Writes the trees that hold these leaves and folders, deepest first, and resolves to the top one's id. A folder of
 * which nothing is listed becomes an empty tree.
 */
export async function writeTree(
  root: string,
  leaves: readonly Leaf[],
  folders: readonly string[],
): Promise<string> {
  const content = new Map<string, Leaf[]>([['', []]]);
  const make = (path: string) => {
    for (let folder = path; !content.has(folder); folder = parentOf(folder)) content.set(folder, []);
  };
  folders.forEach(make);
  for (const leaf of leaves) {
    make(parentOf(leaf.path));
    content.get(parentOf(leaf.path))?.push(leaf);
  }
  const depthOf = (path: string) => (path === '' ? 0 : path.split('/').length);
  const levels: string[][] = [];
  for (const folder of content.keys()) (levels[depthOf(folder)] ??= []).push(folder);
  let top = '';
  for (const level of levels.reverse()) {
    const input = Buffer.concat(level.map((folder) => listing(content.get(folder) ?? [])));
    const { stdout } = await git(root, ['mktree', '-z', '--batch', '--missing'], { input });
    const oids = stdout.toString('latin1').split('\n');
    level.forEach((folder, n) => {
      const oid = oids[n] ?? '';
      if (folder === '') top = oid;
      else content.get(parentOf(folder))?.push({ path: folder, mode: '040000', oid });
    });
  }
  return top;
}

const types = { '100644': 'blob', '100755': 'blob', '120000': 'blob', '040000': 'tree' };

/** A tree as `mktree -z --batch` reads it: an empty record ends it. */
function listing(leaves: readonly Leaf[]): Buffer {
  const records = leaves.map(({ path, mode, oid }) => {
    const folder = parentOf(path);
    return `${mode} ${types[mode]} ${oid}\t${path.slice(folder === '' ? 0 : folder.length + 1)}\0`;
  });
  return toBytes(`${records.join('')}\0`);
}
