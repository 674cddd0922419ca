import { lstat, readdir, readlink, realpath, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { entriesToEmpty, ifThere } from './entriesToEmpty.ts';
import { joinBytes } from './joinBytes.ts';

/** What links of a lane led to outside of it: real paths, and whether there was anything in it. */
export type LinkTargets = ReadonlyMap<string, { populated: boolean }>;

/** Takes away every link in a folder that leads out of it, before anything else of it is deleted. Follows none. */
export async function cutLinks(folder: string): Promise<LinkTargets> {
  const targets = new Map<string, { populated: boolean }>();
  const real = await realPathOf(folder);
  await cutIn(Buffer.from(folder), real, targets);
  return targets;
}

/** Those of the targets that are gone, or empty, though they were not. */
export async function emptiedTargets(targets: LinkTargets): Promise<string[]> {
  const lost: string[] = [];
  for (const [target, { populated }] of targets) {
    if (!(await isThere(target)) || (populated && !(await isPopulated(target)))) lost.push(target);
  }
  return lost;
}

async function cutIn(
  folder: Buffer,
  top: string,
  targets: Map<string, { populated: boolean }>,
): Promise<void> {
  for (const entry of await entriesToEmpty(folder)) {
    const path = joinBytes(folder, entry.name);
    if (entry.isDirectory()) await cutIn(path, top, targets);
    if (!entry.isSymbolicLink()) continue;
    const words = await readlink(path).catch(ifThere);
    if (words === null) continue;
    const leadsTo = resolve(dirname(path.toString()), words);
    const target = await realpath(leadsTo).catch(() => null);
    if (target !== null && isInside(target, top)) continue;
    if (target !== null && !targets.has(target))
      targets.set(target, { populated: await isPopulated(target) });
    await unlink(path).catch(ifThere);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether a folder has anything in it; anything that is no folder counts as populated. */
async function isPopulated(path: string): Promise<boolean> {
  return readdir(path).then(
    (names) => names.length > 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOTDIR',
  );
}
