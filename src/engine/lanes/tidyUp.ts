import { messageOf } from '../../core/agentKitError.ts';
import { brokenObjects } from '../removal/brokenObjects.ts';
import { sweepTrash } from '../removal/sweepTrash.ts';
import { clearArchives } from '../runs/clearArchives.ts';
import { forgetGoneLanes } from '../runs/forgetGoneLanes.ts';
import type { CareSources } from './createLaneCare.ts';
import type { CleanAnswer } from './laneCare.ts';

/** How long the whole repository is looked through for what is missing in it, in milliseconds. */
const lookMs = 120_000;

/**
 * Ends what earlier removals and rescues could not: deletes what they moved away or left, however long that takes, and
 * drops git's entries of lanes whose folder was deleted by others. What cannot be done is told.
 */
export async function tidyUp({
  repository,
  engine,
}: CareSources): Promise<Pick<CleanAnswer, 'pruned' | 'archives' | 'left'>> {
  const left: CleanAnswer['left'] = [];
  const failed = (path: string) => (error: unknown) => void left.push({ path, why: messageOf(error) });
  const { commonDir } = repository;
  const swept = await sweepTrash({ commonDir, limitMs: Infinity }).catch(failed(commonDir));
  left.push(...(swept?.left ?? []).map(({ trash, why }) => ({ path: trash, why })));
  const archives = await clearArchives(engine).catch(failed(commonDir));
  const gone = await forgetGoneLanes(engine).catch(failed(commonDir));
  left.push(...(gone?.kept ?? []));
  return { pruned: gone?.pruned ?? [], archives: archives ?? [], left };
}

/** What the repository lacks, one line each; also when that cannot be told. */
export async function missingIn(root: string): Promise<string[]> {
  return brokenObjects(root, lookMs).catch((error: unknown) => [
    `Whether the repository is whole could not be looked at: ${messageOf(error)}`,
  ]);
}
