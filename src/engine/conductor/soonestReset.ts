import { isActive } from '../../core/run/isActive.ts';
import { mayBegin } from '../../core/run/predecessors.ts';
import type { RunState } from '../../core/run/runState.ts';

/**
 * How long, in milliseconds from `now`, a run has nothing to do because all that could go on waits for the reset of an
 * account's window; undefined where something else goes on, or that time has come.
 */
export function soonestReset(state: RunState, now: number): number | undefined {
  const queued = state.lanes.filter((lane) => mayBegin(state, lane));
  if (state.lanes.some(isActive) || queued.some((lane) => lane.postponed === undefined)) return undefined;
  const postponed = queued.flatMap((lane) => lane.postponed?.until ?? []);
  const times = postponed.map((until) => Date.parse(until) - now).filter((left) => left > 0);
  return times.length === 0 ? undefined : Math.min(...times);
}
