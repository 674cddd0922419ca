import type { Action } from './action.ts';
import { decideLane } from './decideLane.ts';
import { decideQueue } from './decideQueue.ts';
import { decideRequests } from './decideRequests.ts';
import type { Facts } from './facts.ts';
import { isActive } from './isActive.ts';
import type { RunState } from './runState.ts';

/**
 * What to do next, given what the journal tells and what was seen. Pure: the same answer for the same
 * arguments; an empty answer means that nothing is to be done until a fact changes.
 */
export function decide(state: RunState, facts: Facts): Action[] {
  const actions = [
    ...decideRequests(state, facts),
    ...withinStarts(
      state.lanes.flatMap((lane) => decideLane(state, lane, facts)),
      facts.starts,
    ),
    ...decideQueue(state, facts),
  ];
  return actions.length > 0 ? actions : decideEnd(state, facts);
}

/** Agents begin a few at a time; the others are looked at again. */
function withinStarts(actions: Action[], starts = Infinity): Action[] {
  let left = starts;
  return actions.filter((action) => action.do !== 'startAttempt' || left-- > 0);
}

/**
 * A run ends when every lane has come to a state that only a person changes. One that waits for another to be
 * merged keeps the run open: it goes on when that is done. A standing run never ends.
 */
function decideEnd(state: RunState, facts: Facts): Action[] {
  if (state.status !== 'running' && state.status !== 'stopping') return [];
  if (facts.requests.length > 0 || state.lanes.some((lane) => isActive(lane) || lane.state === 'queued'))
    return [];
  // A standing run goes on after its lanes were stopped.
  if (state.standing)
    return state.status === 'stopping'
      ? [{ do: 'append', key: 'run', events: [{ type: 'run.resumed' }] }]
      : [];
  if (state.spent === undefined && facts.startNew && state.lanes.some(({ attempts }) => attempts.length > 0))
    return [{ do: 'readSpend' }];
  const done = state.lanes.every(({ state: each }) => each === 'ready' || each === 'merged');
  const outcome = done ? 'done' : state.status === 'stopping' ? 'stopped' : 'failed';
  return [{ do: 'append', key: 'run', events: [{ type: 'run.ended', outcome }] }];
}
