import { lstat, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isInside } from '../git/realPathOf.ts';
import type { Placing } from './copyLinks.ts';
import { nullIfAbsent } from './findCopies.ts';

/** Folders whose content decides what a check runs against. */
const dependencyFolders = new Set(
  'node_modules bower_components vendor .venv venv env .bundle Pods packages target .gradle .m2 deps elm-stuff'.split(
    ' ',
  ),
);

/** Links folders of the main checkout into the lane. What is there is left as it is. */
export async function linkFolders(
  placing: Placing,
  folders: readonly string[],
): Promise<{ placed: string[]; warnings: string[] }> {
  const placed: string[] = [];
  const warnings: string[] = [];
  for (const folder of folders) {
    const path = folder.replace(/\/$/, '');
    const why = await linkOne(placing, path);
    if (why !== null) {
      warnings.push(`link: ${path} ${why}; it is not linked`);
      continue;
    }
    placed.push(path);
    if (dependencyFolders.has(basename(path)))
      warnings.push(
        `The gate is weak: ${path} is the main checkout's, so checks may judge what is there instead of the lane`,
      );
  }
  return { placed, warnings };
}

/** Why a folder may not be linked; null when it is. */
async function linkOne({ root, lane, parents }: Placing, path: string): Promise<string | null> {
  const from = join(root, path);
  const real = await realpath(from).catch(nullIfAbsent);
  if (real === null) return 'is not in the main checkout';
  if (!isInside(real, root) || isInside(real, join(root, '.git')))
    return `leads out of the repository, to ${real}`;
  if (isInside(lane, real)) return 'holds this lane';
  if (!(await lstat(real)).isDirectory()) return 'is no folder (a file can be copied)';
  const blocked = await parents.above(path);
  if (blocked !== null) return `has no place, as ${blocked}`;
  const to = join(lane, path);
  if ((await lstat(to).catch(nullIfAbsent)) === null) {
    await symlink(from, to);
    return null;
  }
  return (await realpath(to).catch(nullIfAbsent)) === real ? null : 'is in the lane already';
}
