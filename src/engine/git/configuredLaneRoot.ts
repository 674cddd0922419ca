import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { isIgnored } from './isIgnored.ts';
import { defaultLaneRoot } from './laneRoot.ts';
import type { Repository } from './openRepository.ts';
import { isInside, realPathOf } from './realPathOf.ts';
import { listWorktrees } from './worktreeList.ts';

/** The folder that the lanes of a run go to. */
export interface LaneRoot {
  folder: string;
  /** What is to be shown before the start. */
  warnings: string[];
}

/**
 * The folder that `worktree.root` of `agentkit.yaml` names, where lanes can be made there; else the default one, and why.
 * Creates nothing.
 * @param wanted Absolute, or counted from the top of the main checkout; `{repo}` in it is that folder's name.
 */
export async function configuredLaneRoot(
  repository: Repository,
  wanted: string | undefined,
): Promise<LaneRoot> {
  if (wanted === undefined) return { folder: await defaultLaneRoot(repository), warnings: [] };
  const { root } = repository;
  // Lanes are never made through links, so a link is resolved once, here.
  const named = resolve(root, wanted.replaceAll('{repo}', basename(root)));
  const folder = await realPathOf(named);
  const why = leavesHome(root, named, folder) ? tooFar(root) : await whyNot(repository, folder);
  if (why !== undefined) {
    const instead = await defaultLaneRoot(repository);
    return {
      folder: instead,
      warnings: [`Lanes go to ${instead}, not to worktree.root of agentkit.yaml: ${folder} ${why}.`],
    };
  }
  if (!isInside(folder, root)) return { folder, warnings: [] };
  return {
    folder,
    warnings: [
      `Lanes go to ${folder}, inside the checkout: keep the editor's searches and watchers out of it (search.exclude and files.watcherExclude: "${relative(root, folder)}/**").`,
    ],
  };
}

/**
 * Whether it leads away from the folder that the repository lies in. The settings come with the repository, so they
 * alone choose no place of the machine; a link that a person has put beside the repository may lead anywhere.
 */
function leavesHome(root: string, named: string, folder: string): boolean {
  const home = dirname(root);
  const byPerson = isInside(named, home) && !isInside(named, root);
  return !isInside(folder, home) && !byPerson;
}

function tooFar(root: string): string {
  return `lies outside of ${dirname(root)}, which the repository lies in; to have lanes there make a link to it beside the repository, and name that`;
}

async function whyNot({ root, commonDir }: Repository, folder: string): Promise<string | undefined> {
  if (isInside(folder, commonDir)) return "lies in git's own folder";
  const blocked = await whyNotWritable(folder);
  if (blocked !== undefined) return blocked;
  for (const { path } of await listWorktrees(root)) {
    const real = await realPathOf(path);
    if (real !== root && isInside(folder, real)) return `lies in the worktree ${real}`;
  }
  if (!isInside(folder, root)) return undefined;
  if (folder === root) return 'is the main checkout itself';
  if (await isIgnored(root, folder)) return undefined;
  const pattern = `/${relative(root, folder)}/`;
  return `lies in the main checkout, where git does not ignore it: add ${pattern} to .gitignore, and have no tracked files in it`;
}

async function whyNotWritable(folder: string): Promise<string | undefined> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    return error.code ?? 'unknown';
  });
  if (found === null) return dirname(folder) === folder ? 'is not there' : whyNotWritable(dirname(folder));
  if (typeof found === 'string') return `cannot be reached (${found})`;
  if (!found.isDirectory()) return `cannot be made, as ${folder} is no folder`;
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => `cannot be written (${folder})`,
  );
}
