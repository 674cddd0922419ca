import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Repository } from './openRepository.ts';

/** The folder that lanes go to unless the repository names one: `../{repo}-lanes`, else inside git's common directory. */
export async function defaultLaneRoot({ root, commonDir }: Repository): Promise<string> {
  const beside = join(dirname(root), `${basename(root)}-lanes`);
  return (await isUsable(beside, root)) ? beside : join(commonDir, 'agentkit', 'lanes');
}

/** Whether lanes can be made there: a real folder or none yet, writable, on the repository's own device. */
async function isUsable(folder: string, root: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) return false;
  const existing = found === null ? dirname(folder) : folder;
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return writable && (await stat(existing)).dev === (await stat(root)).dev;
}
