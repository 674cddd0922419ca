import { describeRefusal } from '../accounts/refusal.ts';
import type { LaneState } from '../lanes/laneState.ts';
import type { LaneEvent } from './runEvent.ts';
import type { AttemptState, GateState, LaneRecord } from './runState.ts';

type EventOf<T extends LaneEvent['type']> = Extract<LaneEvent, { type: T }>;

/** What one event makes of its lane; the given record stays as it is. */
export function applyLaneEvent(lane: LaneRecord, event: LaneEvent): LaneRecord {
  const enter = (state: LaneState): LaneRecord => ({
    ...lane,
    state,
    since: state === lane.state ? lane.since : event.at,
  });
  switch (event.type) {
    case 'lane.assigned': {
      const { account, headroom_pct, worktree } = event;
      return {
        ...enter('preparing'),
        account,
        headroom_pct,
        intended: worktree,
        prepared: false,
        reasons: [],
      };
    }
    case 'lane.created': {
      const { intended } = lane;
      const made = intended && { worktree: intended, head: lane.head ?? intended.base };
      return { ...lane, ...made, warnings: event.warnings, prepared: true };
    }
    case 'lane.blocked':
      return {
        ...closeOpen(enter('blocked'), event.at),
        reasons: [event.message],
        ...(event.after !== undefined && { blockedAfter: event.after }),
      };
    case 'attempt.started':
      return { ...enter('running'), settled: false, attempts: [...lane.attempts, startedAttempt(event)] };
    case 'attempt.ended':
      return endAttempt(enter, event);
    case 'lane.settled':
      return {
        ...(event.refused === undefined ? lane : { ...enter('failed'), reasons: [event.refused] }),
        settled: event.refused === undefined,
        head: event.head,
        changes: event.changes,
      };
    case 'gate.started':
      return startGate(enter, event);
    case 'check.ended':
      return changeGate(lane, event.gate, (gate) => ({ ...gate, checks: [...gate.checks, event.result] }));
    case 'gate.ended':
      return endGate(enter, event);
    case 'merge.planned': {
      const { request, target, from, head, commit, tree } = event;
      const { mergeGate: _earlier, ...entered } = enter('merging');
      return {
        ...entered,
        reasons: [],
        merge: { request, status: 'planned', made: { target, from, head, commit, tree } },
      };
    }
    case 'merge.refused':
      return {
        ...(lane.state === 'merging' ? closeOpen(enter('ready'), event.at) : lane),
        reasons: event.reasons,
        merge: { ...lane.merge, request: event.request, status: 'refused' },
      };
    case 'merge.applied':
      return {
        ...enter('merged'),
        reasons: [],
        ...(lane.merge && { merge: { ...lane.merge, status: 'applied' as const } }),
      };
    case 'lane.reopened': {
      const { gate: _earlier, blockedAfter: _gone, ...entered } = enter(event.to);
      return { ...entered, reasons: [], settled: false };
    }
  }
}

/** Nothing goes on in a lane that was given up: what has no end in the journal is shown as broken off. */
function closeOpen(lane: LaneRecord, at: string): LaneRecord {
  const close = (gate: GateState): GateState =>
    gate.status === 'running' ? { ...gate, status: 'interrupted' } : gate;
  return {
    ...lane,
    attempts: lane.attempts.map((attempt) =>
      attempt.outcome === 'running' ? { ...attempt, outcome: 'lost', ended_at: at } : attempt,
    ),
    ...(lane.gate && { gate: close(lane.gate) }),
    ...(lane.mergeGate && { mergeGate: close(lane.mergeGate) }),
  };
}

function startedAttempt(event: EventOf<'attempt.started'>): AttemptState {
  return {
    n: event.attempt,
    account: event.account,
    started_at: event.at,
    ended_at: null,
    outcome: 'running',
    exit: null,
  };
}

function endAttempt(enter: (state: LaneState) => LaneRecord, event: EventOf<'attempt.ended'>): LaneRecord {
  const { outcome, exit, message, session_id } = event;
  const next = {
    succeeded: 'verifying',
    failed: 'failed',
    timeout: 'failed',
    stopped: 'interrupted',
    lost: 'interrupted',
  } as const;
  const lane = enter(next[outcome]);
  const attempts = lane.attempts.map((attempt) =>
    attempt.n === event.attempt
      ? {
          ...attempt,
          ended_at: event.at,
          outcome,
          exit,
          ...(message !== undefined && { message }),
          ...(session_id !== undefined && { session_id }),
        }
      : attempt,
  );
  const met = describeRefusal(lane.attempts.find(({ n }) => n === event.attempt)?.account ?? '', event);
  const reasons = [met, message].filter((reason) => reason !== undefined);
  return { ...lane, attempts, reasons: outcome === 'succeeded' ? [] : reasons };
}

function startGate(enter: (state: LaneState) => LaneRecord, event: EventOf<'gate.started'>): LaneRecord {
  const { gate: n, subject, head } = event;
  const gate: GateState = { n, subject, head, status: 'running', checks: [] };
  const lane = enter(subject === 'lane' ? 'verifying' : 'merging');
  return { ...lane, gates: n, ...(subject === 'lane' ? { gate } : { mergeGate: gate }) };
}

function endGate(enter: (state: LaneState) => LaneRecord, event: EventOf<'gate.ended'>): LaneRecord {
  const { status, message } = event;
  const finish = (gate: GateState): GateState => ({
    ...gate,
    status,
    ...(message !== undefined && { message }),
  });
  const unchanged = enter('merging');
  if (unchanged.mergeGate?.n === event.gate) return { ...unchanged, mergeGate: finish(unchanged.mergeGate) };
  const next = { passed: 'ready', failed: 'failed', timeout: 'failed', interrupted: 'interrupted' } as const;
  const lane = changeGate(enter(next[status]), event.gate, finish);
  const leftByGate = [...new Set([...lane.leftByGate, ...event.left])];
  return { ...lane, leftByGate, reasons: status === 'passed' || message === undefined ? [] : [message] };
}

function changeGate(lane: LaneRecord, n: number, change: (gate: GateState) => GateState): LaneRecord {
  if (lane.mergeGate?.n === n) return { ...lane, mergeGate: change(lane.mergeGate) };
  return lane.gate?.n === n ? { ...lane, gate: change(lane.gate) } : lane;
}
