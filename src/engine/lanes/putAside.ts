import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { adminFolderOf } from '../git/adminFolders.ts';
import { defaultLaneRoot } from '../git/laneRoot.ts';
import { isKeptFolder, lanePathOfKept } from '../git/rollBackLane.ts';
import { listRunFolders } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';
import type { PutAside } from './laneCare.ts';

/** Every folder beside lanes, of today or of before, that holds what was found in an unfinished one. */
export async function listPutAside({ repository, reader }: CareSources): Promise<PutAside[]> {
  const lanes = new Map<string, { lane: string; run: string }>();
  for (const { run, lanes: all } of await reader.states(await listRunFolders(repository.commonDir)))
    for (const { id, worktree, intended, removed } of all)
      for (const place of [worktree, intended, removed])
        if (place !== undefined) lanes.set(place.path, { lane: id, run });
  const roots = new Set([
    await defaultLaneRoot(repository),
    ...[...lanes.keys()].map((path) => dirname(path)),
  ]);
  const found: PutAside[] = [];
  for (const root of roots) {
    const names = await readdir(root).catch(() => []);
    for (const name of names.filter(isKeptFolder).sort()) {
      const path = join(root, name);
      const before = lanePathOfKept(path);
      if (await isAside(path))
        found.push({ ...(lanes.get(before) ?? { lane: basename(before), run: '' }), path });
    }
  }
  return found;
}

/** A checkout that git works with, of this or another repository, is somebody's own, whatever its name. */
async function isAside(path: string): Promise<boolean> {
  const isRepository = (await lstat(join(path, '.git')).catch(() => null))?.isDirectory() ?? false;
  return !isRepository && (await adminFolderOf(path)) === null;
}
