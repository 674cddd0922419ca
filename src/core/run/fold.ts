import { AgentKitError } from '../agentKitError.ts';
import type { LaneState } from '../lanes/laneState.ts';
import { mayFollow } from '../lanes/transitions.ts';
import type { ResolvedPlan } from '../plan/plan.ts';
import { applyLaneEvent, toExclusion } from './applyLaneEvent.ts';
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
  const lanes = plan.jobs.map((job, index): LaneRecord => ({
    id: event.lanes[index] ?? job.id,
    job,
    state: 'queued',
    since: event.at,
    prepared: false,
    settled: false,
    attempts: [],
    tried: [],
    gates: 0,
    reasons: [],
    warnings: [],
    leftByGate: [],
  }));
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
    answers: {},
  };
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
      return applyToLane(
        { ...next, status, excluded: event.retry === undefined ? state.excluded : [] },
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
