import { AgentKitError } from '../agentKitError.ts';
import type { LaneState } from '../lanes/laneState.ts';
import { mayFollow } from '../lanes/transitions.ts';
import type { Job, ResolvedPlan } from '../plan/plan.ts';
import { toExclusion } from './applyAttemptEvent.ts';
import { applyLaneEvent } from './applyLaneEvent.ts';
import { findContradiction } from './findContradiction.ts';
import type { LaneEvent, RunEvent } from './runEvent.ts';
import type { LaneRecord, RunState } from './runState.ts';

type Created = Extract<RunEvent, { type: 'run.created' }>;

/** The state that a journal tells. @throws AgentKitError `invalid_input` when the journal contradicts itself */
export function fold(plan: ResolvedPlan, events: readonly RunEvent[]): RunState {
  const [first, ...rest] = events;
  if (first?.type !== 'run.created') throw broken(first?.seq ?? 1, 'it does not begin with run.created');
  return rest.reduce(applyEvent, begin(plan, first));
}

function begin(plan: ResolvedPlan, event: Created): RunState {
  const lanes = plan.jobs.map((job, index) => beginLane(event.lanes[index] ?? job.id, job, event.at));
  const { run, name, repo, report, base, target } = event;
  const times = { created_at: event.at, updated_at: event.at };
  return {
    run,
    name,
    repo,
    report,
    base,
    target,
    plan,
    lanes,
    excluded: [],
    seq: event.seq,
    ...times,
    targetMoves: [],
    fence: 0,
    status: 'running',
    standing: event.standing === true,
    answers: {},
  };
}

function beginLane(id: string, job: Job, at: string): LaneRecord {
  return {
    id,
    job,
    state: 'queued',
    since: at,
    byHand: false,
    placed: [],
    ports: {},
    setups: 0,
    foreign: [],
    failures: { failed: 0, timeouts: 0 },
    rescues: [],
    prepared: false,
    settled: false,
    attempts: [],
    tried: [],
    gates: 0,
    reasons: [],
    warnings: [],
    leftByGate: [],
  };
}

/** A lane by hand is one lane more, and is being prepared at once. */
function addLane(state: RunState, event: Extract<RunEvent, { type: 'lane.added' }>): RunState {
  const { lane: id, job, own, worktree, restores, adopts, warnings = [], at } = event;
  if (!state.standing) throw broken(event.seq, 'lanes are added to a standing run only');
  if (state.lanes.some((lane) => lane.id === id && !isClosed(lane)))
    throw broken(event.seq, `there is a lane ${id} already`);
  const before = state.lanes.find((each) => each.id === id);
  const lane: LaneRecord = {
    ...beginLane(id, job, at),
    // What ran under that name lies in folders with these numbers, and its rescues are still to be found.
    ...(before && { gates: before.gates, setups: before.setups, rescues: before.rescues }),
    state: 'preparing',
    byHand: true,
    own,
    intended: worktree,
    warnings,
    ...(restores !== undefined && { restores }),
    ...(adopts !== undefined && { adopts }),
  };
  // A closed lane of that name makes room: what it was stands in the journal.
  return { ...state, lanes: [...state.lanes.filter((each) => each.id !== id), lane] };
}

/** Its name may be used again. */
export function isClosed({ state, worktree }: LaneRecord): boolean {
  return (state === 'dropped' || state === 'merged') && worktree === undefined;
}

/** The state after one more event; the given state stays as it is. */
export function applyEvent(state: RunState, event: RunEvent): RunState {
  if (event.seq !== state.seq + 1) throw broken(event.seq, `event ${state.seq + 1} is missing`);
  const next: RunState = { ...state, seq: event.seq, updated_at: event.at };
  switch (event.type) {
    case 'run.created':
      throw broken(event.seq, 'run.created stands twice');
    case 'owner':
      return { ...next, owner: event.owner, fence: event.fence };
    case 'tail.torn':
      return next;
    case 'target.moved':
      return {
        ...next,
        target: { ...state.target, sha: event.to },
        targetMoves: [...state.targetMoves, { from: event.from, to: event.to, at: event.at }],
      };
    case 'request.answered':
      return { ...next, answers: { ...state.answers, [event.request]: event } };
    case 'lane.added':
      return addLane(event.target === undefined ? next : { ...next, target: event.target }, event);
    case 'run.spent':
      return { ...next, spent: event.accounts };
    case 'run.asks':
      return { ...next, plan: { ...state.plan, permissions: 'ask' } };
    case 'run.stopping':
      return { ...next, status: 'stopping' };
    case 'run.resumed':
      return { ...next, status: 'running' };
    case 'run.ended':
      return { ...next, status: event.outcome };
    case 'merge.applied':
      return applyToLane({ ...next, target: { ...state.target, sha: event.to } }, event);
    case 'attempt.ended': {
      const { lane, excludes } = event;
      const excluded = excludes?.from === 'run' ? [toExclusion(accountOf(state, lane), excludes)] : [];
      return applyToLane({ ...next, excluded: [...state.excluded, ...excluded] }, event);
    }
    case 'lane.reopened': {
      const status = state.status === 'stopping' ? 'stopping' : 'running';
      const { spent: _before, ...going } = next;
      return applyToLane(
        { ...going, status, excluded: event.retry === undefined ? state.excluded : [] },
        event,
      );
    }
    default:
      return applyToLane(next, event);
  }
}

function accountOf(state: RunState, lane: string): string {
  return state.lanes.find(({ id }) => id === lane)?.account ?? '';
}

function applyToLane(state: RunState, event: LaneEvent): RunState {
  const lane = state.lanes.find((each) => each.id === event.lane);
  if (lane === undefined) throw broken(event.seq, `there is no lane ${event.lane}`);
  const contradiction = findContradiction(lane, event);
  if (contradiction !== undefined) throw broken(event.seq, contradiction);
  const changed = applyLaneEvent(lane, event);
  if (changed.state !== lane.state) checkStep(lane, changed.state, event);
  return { ...state, lanes: state.lanes.map((each) => (each === lane ? changed : each)) };
}

function checkStep(lane: LaneRecord, to: LaneState, event: RunEvent): void {
  if (!mayFollow(lane.state, to)) {
    throw broken(event.seq, `${event.type} would take lane ${lane.id} from ${lane.state} to ${to}`);
  }
}

function broken(seq: number, why: string): AgentKitError {
  return new AgentKitError('invalid_input', `The run's journal cannot be read at event ${seq}: ${why}.`);
}
