import { AgentKitError } from '../../core/agentKitError.ts';
import { outsidePaths } from '../../core/safety/outsidePaths.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { staleReasons } from '../conductor/mergeActions.ts';
import { made, type MadeLane } from '../conductor/settleLane.ts';
import { changesBase, laneChanges } from '../git/laneChanges.ts';
import { gitText } from '../git/plumbing.ts';
import type { FoundLane } from './laneFinder.ts';

/**
 * A lane with what its worktree holds now: a person may have committed there since its journal was written. While it is
 * worked on, where its folder is gone, or where git cannot read it, the journal's word stands. Nothing is written.
 */
export async function laneOnDisk(found: FoundLane): Promise<FoundLane> {
  const { state, record, view } = found;
  if (!mayHaveMoved(view)) return found;
  try {
    const lane = made(record);
    const head = await gitText(lane.path, ['rev-parse', '--verify', 'HEAD^{commit}']);
    const seen = head === record.head ? found : await recounted(found, lane, head);
    if (record.state !== 'ready') return seen;
    const stale = await staleReasons(lane, state.repo, state.target.ref);
    if (stale.length === 0) return seen;
    const why_not = [...new Set([...stale, ...seen.view.why_not])];
    return { ...seen, view: { ...seen.view, mergeable: false, why_not } };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return found;
  }
}

/** Nothing of ours is at work in it, and what it holds is not in its target yet. */
export function isUnmergedAtRest({ state, closing }: LaneView): boolean {
  return closing === null && atRest.has(state);
}

const atRest = new Set<LaneView['state']>(['open', 'passed', 'ready', 'failed', 'blocked', 'interrupted']);

function mayHaveMoved(view: LaneView): boolean {
  return isUnmergedAtRest(view) && view.path !== null && !view.folder_gone;
}

/** As the gate counts what it judges. */
async function recounted(found: FoundLane, lane: MadeLane, head: string): Promise<FoundLane> {
  const { state, record, view } = found;
  const { path } = lane;
  const base = await changesBase({ path, base: lane.base, head, target: state.target.ref });
  const { paths, ...counts } = await laneChanges({ path, base, head });
  const changes = { ...counts, outside_paths: outsidePaths(paths, lane.job.paths) };
  return {
    ...found,
    record: { ...record, head, changes, changesBase: base },
    view: { ...view, head, changes, base: view.base && { ...view.base, sha: base } },
  };
}
