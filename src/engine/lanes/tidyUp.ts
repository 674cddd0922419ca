import { messageOf } from '../../core/agentKitError.ts';
import { isClosed } from '../../core/run/fold.ts';
import { brokenObjects } from '../removal/brokenObjects.ts';
import { pruneGoneLanes } from '../removal/rebuildLanes.ts';
import { sweepTrash } from '../removal/sweepTrash.ts';
import { listRunFolders } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';
import type { CleanAnswer } from './laneCare.ts';

/** How long the whole repository is looked through for what is missing in it, in milliseconds. */
const lookMs = 120_000;

/**
 * Ends what earlier removals could not: deletes what they moved away, however long that takes, and drops git's entries
 * of lanes whose folder was deleted by others. What cannot be done is told.
 */
export async function tidyUp(sources: CareSources): Promise<Pick<CleanAnswer, 'pruned' | 'left'>> {
  const { repository } = sources;
  const left: CleanAnswer['left'] = [];
  const failed = (path: string) => (error: unknown) => void left.push({ path, why: messageOf(error) });
  const { commonDir } = repository;
  const swept = await sweepTrash({ commonDir, limitMs: Infinity }).catch(failed(commonDir));
  left.push(...(swept?.left ?? []).map(({ trash, why }) => ({ path: trash, why })));
  const open = await openNonces(sources);
  // Which lanes a run that cannot be read still works with is not known.
  if (open === undefined) return { pruned: [], left };
  const gone = await pruneGoneLanes({ ...repository, open }).catch(failed(commonDir));
  left.push(...(gone?.kept ?? []));
  return { pruned: gone?.pruned ?? [], left };
}

/** Of the lanes that are not closed; undefined when they cannot all be known. */
async function openNonces({ repository, reader }: CareSources): Promise<Set<string> | undefined> {
  const folders = await listRunFolders(repository.commonDir);
  const states = await reader.states(folders);
  if (states.length < folders.length) return undefined;
  const open = states.flatMap(({ lanes }) => lanes.filter((lane) => !isClosed(lane)));
  return new Set(
    open.flatMap(({ worktree, intended }) => [worktree, intended].map((each) => each?.nonce ?? '')),
  );
}

/** What the repository lacks, one line each; also when that cannot be told. */
export async function missingIn(root: string): Promise<string[]> {
  return brokenObjects(root, lookMs).catch((error: unknown) => [
    `Whether the repository is whole could not be looked at: ${messageOf(error)}`,
  ]);
}
