import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RescueRecord } from '../../core/run/rescue.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';

/**
 * Whether a rescue still holds all of its lane: it is there, and in the lane nothing is younger. Doubt means no: then the
 * lane is rescued once more, which costs time only.
 */
export async function isRescueWhole(
  { root, commonDir }: { root: string; commonDir: string },
  { path, branch }: Worktree,
  { ref, commit, at, tip }: RescueRecord,
): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { stdout } = await git(root, args, { okCodes: [0, 1, 128] });
  if (stdout.toString('utf8').trim() !== commit) return false;
  const now = await tipOf(root, branch);
  const folder = await lstat(path).catch(() => null);
  // A removal that was cut off has taken the folder away already, or the branch too.
  if (folder === null) return now === null || now === tip;
  if (now !== tip) return false;
  const since = Date.parse(at);
  const admin = await adminFolderAt(commonDir, path);
  for (const file of ['HEAD', 'index', 'logs/HEAD']) {
    if (admin === null || (await isYounger(join(admin, file), since))) return false;
  }
  return !(await holdsYounger(path, since));
}

async function isYounger(file: string, since: number): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found !== null && Math.max(found.mtimeMs, found.ctimeMs) >= since;
}

/** What lies in a folder that was changed, moved there or deleted: that one's folder is younger itself. */
async function holdsYounger(folder: string, since: number): Promise<boolean> {
  if (await isYounger(folder, since)) return true;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() ? await holdsYounger(path, since) : await isYounger(path, since)) return true;
  }
  return false;
}
