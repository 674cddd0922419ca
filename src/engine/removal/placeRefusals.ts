import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { entryAt } from './entryAt.ts';
import type { RemovalRequest } from './inspectRemoval.ts';

/** Why a place is never removed whatever lies there, each with the cure; empty when none of it holds. */
export async function placeRefusals(request: RemovalRequest): Promise<string[]> {
  const { path, root, commonDir, checkout } = request;
  const refusals: string[] = [];
  for (const link of [dirname(path), path]) {
    if ((await entryAt(link))?.isSymbolicLink()) {
      refusals.push(`${link} is a link, and nothing is removed through links; put the folder itself there`);
    }
  }
  const real = await realPathOf(path);
  const kept = [
    { what: 'the main checkout', place: root, cure: 'it is never removed' },
    { what: "git's own folder", place: commonDir, cure: 'it is never removed' },
    { what: 'the checkout that you work in', place: checkout, cure: 'go to another one first' },
    { what: 'the folder that this process works in', place: ownFolder(), cure: 'start it from another one' },
  ];
  for (const { what, place, cure } of kept) {
    if (place === null || !isInside(await realPathOf(place), real)) continue;
    refusals.push(`${path} is or holds ${what}, ${place}; ${cure}`);
  }
  const ours = join(await realPathOf(commonDir), 'agentkit');
  if (isInside(real, dirname(ours)) && (!isInside(real, ours) || real === ours)) {
    refusals.push(`${path} lies in git's own folder, in which only lanes below ${ours} are removed`);
  }
  for (const mount of await mountsBelow(real)) {
    refusals.push(`${mount} is mounted inside the lane, so its files live elsewhere; run: umount "${mount}"`);
  }
  return refusals;
}

/** Null when the folder was deleted under this process. */
function ownFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Where something else is mounted at or below a folder. Told on Linux only. */
async function mountsBelow(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  return parseMounts(await readFile('/proc/self/mountinfo')).filter((mount) => isInside(mount, folder));
}

/** The mount points of /proc/self/mountinfo (proc(5)), in which blanks and backslashes are written in octal. */
export function parseMounts(mountinfo: Buffer): string[] {
  const lines = mountinfo.toString('latin1').split('\n');
  return lines.flatMap((line) => {
    const point = line.split(' ')[4];
    if (point === undefined) return [];
    const text = point.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(parseInt(octal, 8)),
    );
    return [Buffer.from(text, 'latin1').toString('utf8')];
  });
}
