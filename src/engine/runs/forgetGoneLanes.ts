import { isClosed } from '../../core/run/fold.ts';
import type { EngineContext } from '../conductor/runContext.ts';
import { pruneGoneLanes, type Pruned } from '../removal/rebuildLanes.ts';
import { listRunFolders } from '../store/runFolder.ts';

/** Drops git's entries of folders that others deleted and that no run works with any more. */
export async function forgetGoneLanes({ repository, allRuns }: EngineContext): Promise<Pruned> {
  const states = await allRuns();
  const folders = await listRunFolders(repository.commonDir);
  // Which lanes a run that cannot be read still works with is not known.
  if (states.length < folders.length) return { pruned: [], kept: [] };
  const lanes = states.flatMap((state) => state.lanes).filter((lane) => !isClosed(lane));
  const nonces = lanes.flatMap(({ worktree, intended, adopts }) =>
    [worktree, intended, adopts].map((each) => each?.nonce ?? ''),
  );
  return pruneGoneLanes({ ...repository, open: new Set(nonces) });
}
