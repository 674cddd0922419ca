import type { Action } from './action.ts';
import { assign } from './assign.ts';
import { decideLane } from './decideLane.ts';
import { decideRequests } from './decideRequests.ts';
import type { Facts } from './facts.ts';
import type { LaneRecord, RunState } from './runState.ts';

/**
 * What to do next, given what the journal tells and what was seen. Pure: the same answer for the same
 * arguments; an empty answer means that nothing is to be done until a fact changes.
 */
export function decide(state: RunState, facts: Facts): Action[] {
  const actions = [
    ...decideRequests(state, facts),
    ...state.lanes.flatMap((lane) => decideLane(state, lane, facts)),
    ...decideQueue(state, facts),
  ];
  return actions.length > 0 ? actions : decideEnd(state, facts);
}

/** States in which an agent, a gate or a merge is under way. */
const activeStates = new Set<LaneRecord['state']>([
  'preparing',
  'running',
  'waiting',
  'verifying',
  'reviewing',
  'merging',
]);

/** Whether a lane is being worked on. */
export function isActive(lane: LaneRecord): boolean {
  return activeStates.has(lane.state);
}

/** States that hold a writer's account. */
function isWriting(lane: LaneRecord): boolean {
  return lane.state === 'preparing' || lane.state === 'running' || lane.state === 'waiting';
}

function decideQueue(state: RunState, facts: Facts): Action[] {
  const queued = state.lanes.filter((lane) => lane.state === 'queued');
  const block = (lane: string, message: string): Action => ({
    do: 'append',
    key: lane,
    events: [{ type: 'lane.blocked', lane, message }],
  });
  if (state.status === 'stopping')
    return queued.map(({ id }) => block(id, 'The run was stopped before it began.'));
  const dead = queued.flatMap((lane) => {
    const failed = dependenciesOf(state, lane).find(
      ({ state: each }) => each === 'blocked' || each === 'dropped',
    );
    return failed === undefined
      ? []
      : [block(lane.id, `It comes after ${failed.id}, which is ${failed.state}.`)];
  });
  if (dead.length > 0 || !facts.startNew) return dead;
  const able = queued.filter((lane) =>
    dependenciesOf(state, lane).every(({ state: each }) => each === 'merged'),
  );
  const slots = (state.plan.concurrency ?? Infinity) - state.lanes.filter(isWriting).length;
  const assignments = assign(
    able.map(({ job }) => job),
    state.plan,
    facts.accounts,
    slots,
  );
  return assignments.flatMap((assignment, index): Action[] => {
    const lane = able[index];
    if (lane === undefined || 'waits' in assignment) return [];
    if ('blocked' in assignment) return [block(lane.id, assignment.blocked)];
    const { account, headroom_pct } = assignment.account;
    return [{ do: 'assign', lane: lane.id, account, headroom_pct }];
  });
}

function dependenciesOf(state: RunState, lane: LaneRecord): LaneRecord[] {
  return state.lanes.filter(({ job }) => lane.job.depends_on.includes(job.id));
}

/** A run ends when every lane has come to a state that only a person changes. */
function decideEnd(state: RunState, facts: Facts): Action[] {
  if (state.status !== 'running' && state.status !== 'stopping') return [];
  if (facts.requests.length > 0 || state.lanes.some((lane) => isActive(lane) || lane.state === 'queued'))
    return [];
  const done = state.lanes.every(({ state: each }) => each === 'ready' || each === 'merged');
  const outcome = done ? 'done' : state.status === 'stopping' ? 'stopped' : 'failed';
  return [{ do: 'append', key: 'run', events: [{ type: 'run.ended', outcome }] }];
}
