import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** What is in a folder; nothing where it is not there. @throws as `readdir` for every other reason */
export function listFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
