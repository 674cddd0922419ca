import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RescueRecord } from '../../core/run/rescue.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import { isPlaceFile } from '../rescue/laneFolder.ts';
import { branchLogFile } from '../rescue/laneState.ts';

/**
 * Whether a rescue still holds all of its lane: it is there with its archive, and nothing is younger in the lane's folder
 * or in what git keeps of it (an operation in progress, refs of its own, submodules' repositories). Doubt means no: then
 * the lane is rescued once more, which costs time only.
 */
export async function isRescueWhole(
  { root, commonDir }: { root: string; commonDir: string },
  { path, branch }: Worktree,
  { ref, commit, at, tip, archive }: RescueRecord,
): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { stdout } = await git(root, args, { okCodes: [0, 1, 128] });
  if (stdout.toString('utf8').trim() !== commit) return false;
  if (archive !== null && (await lstat(archive.file).catch(() => null)) === null) return false;
  const now = await tipOf(root, branch);
  const folder = await lstat(path).catch(() => null);
  const since = Date.parse(at);
  const admin = await adminFolderAt(commonDir, path);
  if (admin !== null && (await holdsYounger(admin, since, isPlaceFile))) return false;
  if (await isYounger(branchLogFile(commonDir, branch), since)) return false;
  // A removal that was cut off has taken the folder away already, or the branch too.
  if (folder === null) return now === null || now === tip;
  if (now !== tip || admin === null) return false;
  for (const top of [path, admin]) if (await isYounger(top, since)) return false;
  return !(await holdsYounger(path, since));
}

async function isYounger(file: string, since: number): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found !== null && Math.max(found.mtimeMs, found.ctimeMs) >= since;
}

/** Whether anything in a folder was changed, moved there or deleted: then the folder of that is younger itself. */
async function holdsYounger(
  folder: string,
  since: number,
  passOver: (name: string) => boolean = () => false,
): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (passOver(entry.name)) continue;
    const path = join(folder, entry.name);
    if (await isYounger(path, since)) return true;
    if (entry.isDirectory() && (await holdsYounger(path, since))) return true;
  }
  return false;
}
