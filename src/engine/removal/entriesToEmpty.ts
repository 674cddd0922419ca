import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';

/**
 * The entries of a folder that is about to be emptied, none when it is gone; links are entries like any. Its owner may
 * have been denied to change it: that ends here.
 */
export async function entriesToEmpty(folder: Buffer): Promise<Dirent<Buffer>[]> {
  const found = await lstat(folder).catch(ifThere);
  if (found?.isDirectory() !== true) return [];
  if ((found.mode & 0o700) !== 0o700) await chmod(folder, 0o700).catch(ifThere);
  return (await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(ifThere)) ?? [];
}

/** Null for what is gone: somebody else may empty the same folder. */
export function ifThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
