import { chmodSync, lstatSync, readdirSync, type Dirent } from 'node:fs';

/**
 * The entries of a folder that is about to be emptied, none when it is gone; links are entries like any. Its owner may
 * have been denied to change it: that ends here.
 */
export function entriesToEmpty(folder: Buffer): Dirent<Buffer>[] {
  const found = ifThere(() => lstatSync(folder));
  if (found?.isDirectory() !== true) return [];
  if ((found.mode & 0o700) !== 0o700) ifThere(() => chmodSync(folder, 0o700));
  return ifThere(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) ?? [];
}

/** What a call returns, null for what is gone: somebody else may empty the same folder. */
export function ifThere<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
