import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';
import { joinBytes } from './joinBytes.ts';

/** How many files of a lane git ignores, and their size in bytes. Folders below links are not entered. */
export async function countIgnored(folder: string): Promise<{ files: number; bytes: number }> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const { stdout } = await git(folder, args);
  const total = { files: 0, bytes: 0 };
  for (const path of splitNul(stdout)) {
    await count(joinBytes(Buffer.from(folder), path), total);
  }
  return total;
}

async function count(path: Buffer, total: { files: number; bytes: number }): Promise<void> {
  // Files come and go while they are counted; one that is gone counts nothing.
  const entry = await lstat(path).catch(() => null);
  if (entry === null) return;
  if (!entry.isDirectory()) {
    total.files += 1;
    total.bytes += entry.size;
    return;
  }
  const entries: Dirent<Buffer>[] = await readdir(path, { withFileTypes: true, encoding: 'buffer' }).catch(
    () => [],
  );
  await Promise.all(entries.map(({ name }) => count(joinBytes(path, name), total)));
}
