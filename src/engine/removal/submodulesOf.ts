import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { git, gitText } from '../git/plumbing.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { readStatus } from '../git/readStatus.ts';
import { splitNulText } from '../git/splitNul.ts';
import { entryAt } from './entryAt.ts';

/** A submodule of a lane: its repository is the lane's own, and goes with it. */
export interface LaneSubmodule {
  /** Below the lane; of one that is not checked out any more, below git's folder of the lane. */
  path: string;
  /** Whether its files differ from its commit. */
  dirty: boolean;
  /** Commits that none of its remotes has. */
  unpushed: number;
}

/** The submodules that are checked out in a lane, at any depth, and those of which only the repository is left. */
export async function submodulesOf(folder: string | null, admin: string | null): Promise<LaneSubmodule[]> {
  const seen = new Set<string>();
  const found: LaneSubmodule[] = [];
  if (folder !== null) await lookInto(folder, folder, found, seen);
  if (admin === null) return found;
  for (const gitDir of await repositoriesBelow(join(admin, 'modules'))) {
    if (seen.has(await realPathOf(gitDir))) continue;
    // Its settings name a folder of files that may be gone, into which git would change.
    const unpushed = await countUnpushed(gitDir, { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir });
    found.push({ path: relative(admin, gitDir), dirty: false, unpushed });
  }
  return found;
}

async function lookInto(
  top: string,
  checkout: string,
  found: LaneSubmodule[],
  seen: Set<string>,
): Promise<void> {
  const { stdout } = await git(checkout, ['ls-files', '--stage', '-z']);
  for (const line of splitNulText(stdout)) {
    const [, name] = /^160000 [0-9a-f]+ \d\t([\s\S]+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const path = join(checkout, name);
    // A submodule that was never checked out is an empty folder.
    if ((await entryAt(join(path, '.git'))) === null) continue;
    seen.add(await realPathOf(await gitText(path, ['rev-parse', '--absolute-git-dir'])));
    const dirty = (await readStatus(path)).length > 0;
    found.push({ path: relative(top, path), dirty, unpushed: await countUnpushed(path, {}) });
    await lookInto(top, path, found, seen);
  }
}

/** Stashes and tags count too: nobody else has them. */
async function countUnpushed(folder: string, env: Record<string, string>): Promise<number> {
  const head = await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'], { env, okCodes: [0, 1] });
  const from = head.code === 0 ? ['HEAD'] : [];
  const args = ['rev-list', '--count', '--all', '--reflog', ...from, '--not', '--remotes'];
  return Number(await gitText(folder, args, { env }));
}

/** Git directories of submodules: their names may have folders, and they may have submodules of their own. */
async function repositoriesBelow(folder: string): Promise<string[]> {
  if ((await entryAt(folder)) === null) return [];
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if ((await entryAt(join(path, 'HEAD'))) !== null && (await entryAt(join(path, 'objects'))) !== null) {
      found.push(path, ...(await repositoriesBelow(join(path, 'modules'))));
    } else {
      found.push(...(await repositoriesBelow(path)));
    }
  }
  return found;
}
