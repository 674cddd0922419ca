import { AgentKitError } from '../../core/agentKitError.ts';
import { isClosed } from '../../core/run/fold.ts';
import { archiveLimit } from '../conductor/archiveLimit.ts';
import type { EngineContext } from '../conductor/runContext.ts';
import { readMarkerIn, type Marker } from '../git/marker.ts';
import type { OwnFolder } from '../removal/laneIdentity.ts';
import { pruneGoneLanes, type Pruned } from '../removal/rebuildLanes.ts';
import { rescueLane } from '../rescue/rescueLane.ts';
import { listRunFolders } from '../store/runFolder.ts';

/**
 * Drops git's entries of folders that others deleted and that no run works with any more, after a rescue of what only
 * they hold; with `dryRun` tells what it would do.
 */
export async function forgetGoneLanes(
  engine: EngineContext,
  { dryRun }: { dryRun: boolean },
): Promise<Pruned> {
  const { repository, allRuns } = engine;
  const states = await allRuns();
  const folders = await listRunFolders(repository.commonDir);
  // Which lanes a run that cannot be read still works with is not known.
  if (states.length < folders.length) return { pruned: [], rescued: [], kept: [] };
  const lanes = states.flatMap((state) => state.lanes).filter((lane) => !isClosed(lane));
  const nonces = lanes.flatMap(({ worktree, intended, adopts }) =>
    [worktree, intended, adopts].map((each) => each?.nonce ?? ''),
  );
  const rescue = (lane: OwnFolder) => rescueGone(engine, lane);
  return pruneGoneLanes({ ...repository, open: new Set(nonces), dryRun, rescue });
}

/** Of the folder itself nothing is there to be kept. */
async function rescueGone({ repository, now }: EngineContext, own: OwnFolder): Promise<string> {
  const { admin, path, run, lane, nonce } = own;
  const { branch, base } = await requireMarker(admin);
  const place = { ...repository, path, branch, run, lane, nonce, base };
  const { ref } = await rescueLane({ ...place, why: 'remove', leaveOut: [], archiveLimit, now: now() });
  return ref;
}

/** What is prepared has one. */
async function requireMarker(admin: string): Promise<Marker> {
  const marker = await readMarkerIn(admin);
  if (marker === null) throw new AgentKitError('conflict', `${admin} was changed meanwhile; try again`);
  return marker;
}
