import { messageOf } from '../../core/agentKitError.ts';
import { tipOf } from '../git/resolveBase.ts';
import { brokenObjects } from '../removal/brokenObjects.ts';
import { sweepTrash } from '../removal/sweepTrash.ts';
import { clearArchives } from '../runs/clearArchives.ts';
import { forgetGoneLanes } from '../runs/forgetGoneLanes.ts';
import type { CareSources } from './createLaneCare.ts';
import type { CleanAnswer } from './laneCare.ts';

type Tidied = Pick<CleanAnswer, 'removed' | 'pruned' | 'archives' | 'left'>;

/** How long the whole repository is looked through for what is missing in it, in milliseconds. */
const lookMs = 120_000;

/**
 * Ends what earlier removals and rescues could not: deletes what they moved away or left, however long that takes, and
 * drops git's entries of lanes whose folder was deleted by others. What cannot be done is told.
 */
export async function tidyUp({ repository, engine }: CareSources): Promise<Tidied> {
  const left: CleanAnswer['left'] = [];
  const failed = (path: string) => (error: unknown) => void left.push({ path, why: messageOf(error) });
  const { commonDir } = repository;
  const swept = await sweepTrash({ commonDir, limitMs: Infinity }).catch(failed(commonDir));
  left.push(...(swept?.left ?? []).map(({ trash, why }) => ({ path: trash, why })));
  const archives = await clearArchives(engine).catch(failed(commonDir));
  const gone = await forgotten({ repository, engine }, false).catch(failed(commonDir));
  left.push(...(gone?.left ?? []));
  return { removed: gone?.removed ?? [], pruned: gone?.pruned ?? [], archives: archives ?? [], left };
}

/** Of lanes whose folder others deleted: what git would forget, and which it still holds something of. */
export async function previewTidyUp(sources: Pick<CareSources, 'repository' | 'engine'>): Promise<Tidied> {
  const { commonDir } = sources.repository;
  const none = { removed: [], pruned: [], archives: [] };
  return forgotten(sources, true).then(
    (gone) => ({ ...none, ...gone }),
    (error: unknown) => ({ ...none, left: [{ path: commonDir, why: messageOf(error) }] }),
  );
}

async function forgotten(
  { repository, engine }: Pick<CareSources, 'repository' | 'engine'>,
  dryRun: boolean,
): Promise<Omit<Tidied, 'archives'>> {
  const { pruned, rescued, kept } = await forgetGoneLanes(engine, { dryRun });
  const removed = rescued.map(async ({ lane: { lane, run, path, branch }, rescue }) => {
    const isThere = branch !== null && (await tipOf(repository.root, branch)) !== null;
    const end = isThere ? ('kept' as const) : ('gone' as const);
    return { lane, run, path, rescue, branch: end, left: [], warnings: [] };
  });
  return { removed: await Promise.all(removed), pruned, left: kept };
}

/** What the repository lacks, one line each; also when that cannot be told. */
export async function missingIn(root: string): Promise<string[]> {
  return brokenObjects(root, lookMs).catch((error: unknown) => [
    `Whether the repository is whole could not be looked at: ${messageOf(error)}`,
  ]);
}
