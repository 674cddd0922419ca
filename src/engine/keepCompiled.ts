import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { userFolders } from './store/userFolders.ts';

/**
 * Lets Node keep what it compiled of us for the next start, below the person's state folder. Node runs what it finds
 * there, so the folder must be ours, and writable for nobody else. Where it is not, or cannot be made, nothing is kept.
 */
export function keepCompiled(environment: Readonly<Record<string, string | undefined>>): void {
  try {
    const { state } = userFolders(environment);
    const folder = join(state, 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOursAlone(state) && isOursAlone(folder)) enableCompileCache(folder);
  } catch {
    // A start that takes longer is no reason to fail.
  }
}

function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
