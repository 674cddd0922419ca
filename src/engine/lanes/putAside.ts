import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
      const path = lanePathOfKept(join(root, name));
      found.push({ ...(lanes.get(path) ?? { lane: basename(path), run: '' }), path: join(root, name) });
    }
  }
  return found;
}
