import type { EngineContext } from '../conductor/runContext.ts';
import { clearOrphanArchives } from '../rescue/clearOrphanArchives.ts';
import { listRunFolders } from '../store/runFolder.ts';

/**
 * Deletes what killed rescues have left beside the runs. Not while a rescue may be under way, nor where a run that cannot be
 * read may tell of what is there.
 * @returns the files
 */
export async function clearArchives({ repository, allRuns, now }: EngineContext): Promise<string[]> {
  const states = await allRuns();
  const lanes = states.flatMap((each) => each.lanes);
  const folders = await listRunFolders(repository.commonDir);
  if (folders.length !== states.length || lanes.some(({ closing }) => closing !== undefined)) return [];
  const known = lanes.flatMap(({ rescues }) => rescues.flatMap(({ archive }) => archive?.file ?? []));
  return clearOrphanArchives(repository, known, now());
}
