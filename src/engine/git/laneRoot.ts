import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { adminFolderOf } from './adminFolders.ts';
import type { Repository } from './openRepository.ts';
import { git } from './plumbing.ts';

export interface LaneRoot {
  path: string;
  /** Why lanes do not go beside the repository; null when they do. */
  why: string | null;
}

/** The folder that lanes go to unless the repository names one. */
export async function defaultLaneRoot(repository: Repository): Promise<string> {
  return (await chooseLaneRoot(repository)).path;
}

/** `../{repo}-lanes`, and where that cannot be, a folder inside git's common directory, with the reason. */
export async function chooseLaneRoot({ root, commonDir }: Repository): Promise<LaneRoot> {
  // Beside a bare repository every worktree is as good as the others, so its own place counts.
  const home = (await adminFolderOf(root)) === null ? root : bareHome(commonDir);
  const beside = join(dirname(home), `${basename(home)}-lanes`);
  const why = await whyNot(beside, home);
  return why === null
    ? { path: beside, why }
    : { path: join(commonDir, 'agentkit', 'lanes'), why: `${beside} cannot be used: ${why}` };
}

/** `project/.bare` belongs to the folder that it lies in; `project.git` stands for itself. */
function bareHome(commonDir: string): string {
  const name = basename(commonDir);
  return name.startsWith('.') ? dirname(commonDir) : commonDir.replace(/\.git$/, '');
}

async function whyNot(folder: string, home: string): Promise<string | null> {
  const found = await lstat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) return 'it is no folder';
  const existing = found === null ? dirname(folder) : folder;
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return `${existing} cannot be written`;
  const source = await stat(home).catch(() => stat(dirname(home)));
  if ((await stat(existing)).dev !== source.dev) return 'it is on another device than the repository';
  // Exit 0: another repository around this one ignores it; 128: there is none around it.
  const ignored = await git(dirname(folder), ['check-ignore', '--quiet', '--', folder], {
    okCodes: [0, 1, 128],
    discover: true,
  });
  return ignored.code === 1 ? `it would show up as new files of the repository around ${home}` : null;
}
