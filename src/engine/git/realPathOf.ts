import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The path with every link in it resolved, as far as it exists; the rest is kept as it is. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

/** Whether `path` is `folder` or lies below it. Both absolute, links resolved. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
