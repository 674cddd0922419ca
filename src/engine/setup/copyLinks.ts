import { lstat, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../git/realPathOf.ts';
import { copyFileInto } from './copyFileInto.ts';
import { nullIfAbsent } from './findCopies.ts';
import type { LaneParents } from './laneParents.ts';

/** From where to where something is placed; links resolved in both. */
export interface Placing {
  root: string;
  lane: string;
  parents: LaneParents;
}

/** `later`: what it leads to is not in the lane, or not yet. */
type Outcome = 'placed' | 'kept' | 'later' | { why: string };

/**
 * Copies links that are among what is copied, once the files are there. A relative link whose target is in the lane too
 * is made again as it is; one to another file of the repository becomes a copy of that file; others stay out, as through
 * them a lane would reach what is not its own.
 */
export async function copyLinks(
  placing: Placing,
  links: readonly string[],
): Promise<{ placed: string[]; warnings: string[] }> {
  const placed: string[] = [];
  const warnings: string[] = [];
  const note = (path: string, outcome: Outcome) => {
    if (outcome === 'placed') placed.push(path);
    else if (typeof outcome !== 'string') warnings.push(`copy: ${path} ${outcome.why}; it is not copied`);
    return outcome === 'later';
  };
  let open = [...links].sort();
  // A link may lead to another one that comes after it.
  for (let before = open.length + 1; open.length < before;) {
    before = open.length;
    const later: string[] = [];
    for (const path of open) if (note(path, await makeAgain(placing, path))) later.push(path);
    open = later;
  }
  for (const path of open) note(path, await copyTarget(placing, path));
  return { placed, warnings };
}

async function makeAgain({ root, lane, parents }: Placing, path: string): Promise<Outcome> {
  const real = await realpath(join(root, path)).catch(nullIfAbsent);
  if (real === null) return { why: 'is a link that leads nowhere' };
  if (!isInside(real, root) || isInside(real, join(root, '.git')))
    return { why: `leads out of the repository, to ${real}` };
  const blocked = await parents.above(path);
  if (blocked !== null) return { why: `has no place, as ${blocked}` };
  const to = join(lane, path);
  const target = await readlink(join(root, path));
  const there = await lstat(to).catch(nullIfAbsent);
  if (there?.isSymbolicLink()) return (await readlink(to)) === target ? 'placed' : 'kept';
  if (there !== null || isAbsolute(target)) return 'later';
  const reached = await realpath(resolve(await realpath(dirname(to)), target)).catch(nullIfAbsent);
  if (reached === null || !isInside(reached, lane)) return 'later';
  await symlink(target, to);
  return 'placed';
}

async function copyTarget({ root, lane }: Placing, path: string): Promise<Outcome> {
  const real = await realpath(join(root, path));
  if (!(await stat(real)).isFile()) return { why: 'is a link to a folder that is not in the lane' };
  return (await copyFileInto(real, join(lane, path))) ? 'placed' : 'kept';
}
