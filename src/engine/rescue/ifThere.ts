import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';

/** What something is, links not followed; null when it is not there. Any other failure is thrown. */
export async function statIfThere(path: string): Promise<Stats | null> {
  return lstat(path).catch(nullIfGone);
}

/** The bytes of a file; null when it is not there. Any other failure is thrown. */
export async function readIfThere(file: string): Promise<Buffer | null> {
  return readFile(file).catch(nullIfGone);
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
