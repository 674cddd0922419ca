import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';

/** Something in a tree: a file, link or folder, or a submodule's commit. */
export interface Listed {
  /** Raw path, names as they stand in the tree. */
  path: string;
  mode: string;
  oid: string;
}

/** Everything in a tree, folders before their content. @param path a folder in it; empty for all */
export async function listTree(root: string, tree: string, path: string): Promise<Listed[]> {
  const name = path === '' ? tree : `${tree}:${path}`;
  const { stdout } = await git(root, ['ls-tree', '-r', '-t', '-z', '--full-tree', name]);
  return splitNul(stdout).map((line) => {
    const tab = line.indexOf(0x09);
    const [mode = '', , oid = ''] = line.toString('latin1', 0, tab).split(' ');
    return { path: line.toString('latin1', tab + 1), mode, oid };
  });
}
