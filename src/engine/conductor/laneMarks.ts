import type { LaneRecord } from '../../core/run/runState.ts';
import { attemptMark } from '../process/attemptMark.ts';
import { portVariables } from '../setup/setupLaunch.ts';
import type { RunContext } from './runContext.ts';

/** Marks that every descendant inherits, so that what is left of a lane can be told from everything else. */
export function laneMarks(run: Pick<RunContext, 'state'>, lane: LaneRecord): Record<string, string> {
  const id = run.state().run;
  const attempt = `${id}/${lane.id}/${lane.attempts.length}`;
  return { AGENTKIT_RUN: id, AGENTKIT_LANE: lane.id, [attemptMark]: attempt };
}

/** What everything that runs in a lane is given: its marks and its ports. */
export function laneVariables(run: Pick<RunContext, 'state'>, lane: LaneRecord): Record<string, string> {
  return { ...portVariables(lane.ports), ...laneMarks(run, lane) };
}
