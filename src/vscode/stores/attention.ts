import type { LaneState } from '../../core/lanes/laneState.ts';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';

const needing: ReadonlySet<LaneState> = new Set(['waiting', 'failed', 'blocked', 'interrupted']);
const working: ReadonlySet<LaneState> = new Set([
  'preparing',
  'running',
  'verifying',
  'reviewing',
  'merging',
]);

/** Whether nothing goes on in the lane until a person looks. */
export function needsYou(lane: LaneView): boolean {
  return needing.has(lane.state) || lane.stalled_since !== null;
}

/** Whether something of ours is at work in the lane. */
export function isWorking(lane: LaneView): boolean {
  return working.has(lane.state);
}

export function isActive(run: RunView): boolean {
  return run.status === 'running' || run.status === 'stopping';
}

/**
 * Whether another editor window owns the run. That may be this window as it was before a reload: when its connection
 * was lost, VS Code's server keeps its extension host for a while, to which nobody listens any more.
 */
export function isOfAnotherWindow({ owner }: RunView): boolean {
  return owner !== null && owner.alive && owner.head === 'editor' && !owner.self;
}

/** Runs that still concern the person: the newest, and all that have not ended. Newest first in, newest first out. */
export function currentRuns(runs: readonly RunView[]): RunView[] {
  return runs.filter((run, index) => index === 0 || isActive(run) || run.status === 'interrupted');
}

/** Lanes of the current runs that wait for the person. */
export function lanesThatNeedYou(runs: readonly RunView[]): LaneView[] {
  return currentRuns(runs).flatMap((run) => run.lanes.filter(needsYou));
}
