import { readlinkSync, unlinkSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { entriesToEmpty, ifThere } from './entriesToEmpty.ts';
import { joinBytes } from './joinBytes.ts';
import { timeSlices } from './timeSlices.ts';

/** What links of a lane led to outside of it: real paths, and whether there was anything in it. */
export type LinkTargets = ReadonlyMap<string, { populated: boolean }>;

/** Takes away every link in a folder that leads out of it, before anything else of it is deleted. Follows none. */
export async function cutLinks(folder: string): Promise<LinkTargets> {
  const targets = new Map<string, { populated: boolean }>();
  const real = await realPathOf(folder);
  await cutIn(Buffer.from(folder), { top: real, targets, breathe: timeSlices() });
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

interface Pass {
  top: string;
  targets: Map<string, { populated: boolean }>;
  breathe: () => Promise<unknown> | undefined;
}

async function cutIn(folder: Buffer, pass: Pass): Promise<void> {
  for (const entry of entriesToEmpty(folder)) {
    const path = joinBytes(folder, entry.name);
    if (entry.isDirectory()) await cutIn(path, pass);
    else if (entry.isSymbolicLink()) await cutOne(path, pass);
    const pause = pass.breathe();
    if (pause !== undefined) await pause;
  }
}

async function cutOne(path: Buffer, { top, targets }: Pass): Promise<void> {
  const words = ifThere(() => readlinkSync(path));
  if (words === null) return;
  const target = await realpath(resolve(dirname(path.toString()), words)).catch(() => null);
  if (target !== null && isInside(target, top)) return;
  if (target !== null && !targets.has(target)) targets.set(target, { populated: await isPopulated(target) });
  ifThere(() => unlinkSync(path));
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
