import { describeRefusal } from '../accounts/refusal.ts';
import type { LaneState } from '../lanes/laneState.ts';
import { describeWaiting } from '../lanes/waiting.ts';
import type { LaneEvent, Worktree } from './runEvent.ts';
import type { AttemptState, Exclusion, GateState, LaneRecord, MergeState } from './runState.ts';

type EventOf<T extends LaneEvent['type']> = Extract<LaneEvent, { type: T }>;

/** What one event makes of its lane; the given record stays as it is. */
export function applyLaneEvent(lane: LaneRecord, event: LaneEvent): LaneRecord {
  const { waiting: _over, ...kept } = lane;
  const enter = (state: LaneState): LaneRecord => ({
    ...(state === lane.state ? lane : kept),
    state,
    since: state === lane.state ? lane.since : event.at,
  });
  switch (event.type) {
    case 'lane.assigned': {
      const { account, headroom_pct, worktree } = event;
      return { ...prepareAt(enter('preparing'), worktree), account, headroom_pct, reasons: [] };
    }
    case 'lane.created': {
      const { intended, placed, ports } = lane;
      const made = intended && { worktree: intended, head: lane.head ?? intended.base };
      return {
        ...lane,
        ...made,
        warnings: addWarnings(lane, ...event.warnings),
        placed: event.placed ?? placed,
        ports: event.ports ?? ports,
        prepared: true,
      };
    }
    case 'setup.started':
      return { ...lane, setups: event.setup, setup: { n: event.setup, done: 0, status: 'running' } };
    case 'setup.ended':
      return withStrays(endSetup(lane, enter, event), `setup command ${event.command + 1}`, event.strays);
    case 'lane.opened':
      return { ...enter('open'), reasons: [] };
    case 'lane.blocked':
      return {
        ...withoutClosing(closeOpen(enter('blocked'), event.at)),
        reasons: [event.message],
        ...(event.after !== undefined && { blockedAfter: event.after }),
      };
    case 'attempt.started':
      return startAttempt(enter('running'), event);
    case 'lane.waiting': {
      const { reason, message, since } = event;
      return {
        ...enter('waiting'),
        waiting: { reason, message, since },
        reasons: [describeWaiting({ reason, message })],
      };
    }
    case 'lane.continued':
      return { ...enter('running'), reasons: [] };
    case 'attempt.ended':
      return endAttempt(enter, event);
    case 'lane.settled':
      return {
        ...(event.refused === undefined ? lane : { ...enter('failed'), reasons: [event.refused] }),
        settled: event.refused === undefined,
        head: event.head,
        changes: event.changes,
        ...(event.base !== undefined && { changesBase: event.base }),
      };
    case 'gate.started':
      return startGate(enter, event);
    case 'check.ended':
      return withStrays(
        changeGate(lane, event.gate, (gate) => ({ ...gate, checks: [...gate.checks, event.result] })),
        `check ${event.result.name}`,
        event.strays,
      );
    case 'gate.ended':
      return endGate(enter, event);
    case 'merge.planned': {
      const { request, target, from, head, commit, tree } = event;
      const { mergeGate: _earlier, ...entered } = enter('merging');
      return {
        ...entered,
        reasons: [],
        merge: { request, joined: [], status: 'planned', made: { target, from, head, commit, tree } },
      };
    }
    case 'merge.joined':
      return changeMerge(lane, (merge) => ({ ...merge, joined: [...merge.joined, event.request] }));
    case 'merge.stopping':
      return changeMerge(lane, (merge) => ({ ...merge, status: 'stopping' }));
    case 'merge.refused':
      return {
        ...(lane.state === 'merging' ? closeOpen(enter('ready'), event.at) : lane),
        reasons: event.reasons,
        merge: { joined: [], ...lane.merge, request: event.request, status: 'refused' },
      };
    case 'merge.applied':
      return {
        ...enter('merged'),
        reasons: [],
        ...(lane.merge && { merge: { ...lane.merge, status: 'applied' as const } }),
      };
    case 'lane.reopened':
      return reopen(enter(event.to), event);
    case 'lane.closing': {
      const { why, request, accepts_loss, message } = event;
      const closing = {
        why,
        ...(request !== undefined && { request }),
        ...(accepts_loss && { accepts_loss }),
        ...(message !== undefined && { message }),
      };
      return { ...lane, closing };
    }
    case 'lane.rescued':
      return { ...lane, rescues: [...lane.rescues, event.rescue] };
    case 'lane.removed':
      return removeWorktree(lane.closing?.why === 'discard' ? enter('dropped') : lane, event);
    case 'lane.kept': {
      const restart = lane.closing?.why === 'restart';
      return { ...withoutClosing(restart ? enter('blocked') : lane), reasons: event.reasons };
    }
  }
}

/** A worktree that is another than before has nothing of what that one was given. */
function prepareAt(lane: LaneRecord, worktree: Worktree): LaneRecord {
  const { setup, ...rest } = lane;
  const same = lane.intended?.nonce === worktree.nonce;
  return {
    ...(same && setup?.status === 'running' ? lane : rest),
    intended: worktree,
    prepared: false,
    ...(same ? {} : { placed: [] }),
  };
}

function endSetup(
  lane: LaneRecord,
  enter: (state: LaneState) => LaneRecord,
  event: EventOf<'setup.ended'>,
): LaneRecord {
  const { setup } = lane;
  if (setup === undefined) return lane;
  if (event.outcome === 'succeeded') return { ...lane, setup: { ...setup, done: setup.done + 1 } };
  const reasons = [event.message ?? `Its setup ${event.outcome}.`];
  return { ...enter('blocked'), setup: { ...setup, status: 'failed' }, reasons };
}

function startAttempt(entered: LaneRecord, event: EventOf<'attempt.started'>): LaneRecord {
  const { next: _used, limited: _over, ...lane } = entered;
  return { ...lane, settled: false, foreign: [], attempts: [...lane.attempts, startedAttempt(event)] };
}

function reopen(entered: LaneRecord, event: EventOf<'lane.reopened'>): LaneRecord {
  const { gate: _earlier, blockedAfter: _gone, limited: _over, next: _used, ...lane } = entered;
  const { retry, message, next, limited, accepts } = event;
  return {
    ...lane,
    reasons: [],
    settled: false,
    ...(event.to === 'preparing' && { prepared: false }),
    tried: retry === undefined ? lane.tried : [],
    foreign: accepts ? [] : lane.foreign,
    ...(next !== undefined && { next }),
    ...(limited && { limited }),
    warnings: message === undefined ? lane.warnings : addWarnings(lane, message),
  };
}

function withoutClosing(lane: LaneRecord): LaneRecord {
  const { closing: _over, ...rest } = lane;
  return rest;
}

/** What was judged of it stays to be seen, except where it begins anew. */
function removeWorktree(entered: LaneRecord, { at, branch, left }: EventOf<'lane.removed'>): LaneRecord {
  const { worktree, intended: _gone, setup: _done, ...lane } = withoutClosing(entered);
  const removed = worktree && { removed: { at, path: worktree.path, branch, left } };
  const kept = { ...lane, ...removed, prepared: false, placed: [], leftByGate: [], reasons: [] };
  if (entered.closing?.why !== 'restart') return kept;
  const { head: _head, changes: _changes, changesBase: _base, gate: _gate, ...fresh } = kept;
  return { ...fresh, settled: false };
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
    ...(event.next !== undefined && { next: event.next }),
  };
}

function endAttempt(enter: (state: LaneState) => LaneRecord, event: EventOf<'attempt.ended'>): LaneRecord {
  const { outcome, exit, message, session_id, usage, excludes, foreign = [] } = event;
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
          ...(usage !== undefined && { usage }),
        }
      : attempt,
  );
  const met = describeRefusal(lane.attempts.find(({ n }) => n === event.attempt)?.account ?? '', event);
  const reasons = [met, message].filter((reason) => reason !== undefined);
  const shown = outcome === 'succeeded' ? [] : reasons;
  const tried = excludes?.from === 'job' ? [toExclusion(lane.account ?? '', excludes)] : [];
  const ended = { ...lane, attempts, reasons: shown, tried: [...lane.tried, ...tried], foreign };
  return withStrays(ended, `attempt ${event.attempt}`, event.strays);
}

export function toExclusion(
  account: string,
  { login, message }: NonNullable<EventOf<'attempt.ended'>['excludes']>,
): Exclusion {
  return { account, ...(login && { login }), message };
}

/** What still runs of a step that has ended is told until a person has looked. */
function withStrays(lane: LaneRecord, of: string, strays: readonly number[] = []): LaneRecord {
  if (strays.length === 0) return lane;
  const which = strays.length === 1 ? `Process ${strays.join()}` : `Processes ${strays.join(', ')}`;
  const warning = `${which} of ${of} left its process tree and may still run; look, and end what is not wanted.`;
  return { ...lane, warnings: addWarnings(lane, warning) };
}

function addWarnings({ warnings }: LaneRecord, ...more: string[]): string[] {
  return [...new Set([...warnings, ...more])];
}

function changeMerge(lane: LaneRecord, change: (merge: MergeState) => MergeState): LaneRecord {
  return lane.merge === undefined ? lane : { ...lane, merge: change(lane.merge) };
}

function startGate(enter: (state: LaneState) => LaneRecord, event: EventOf<'gate.started'>): LaneRecord {
  const { gate: n, subject, head } = event;
  const gate: GateState = { n, subject, head, status: 'running', checks: [] };
  const lane = enter(subject === 'lane' ? 'verifying' : 'merging');
  // What an earlier gate left was moved out of the way before this one.
  return { ...lane, gates: n, ...(subject === 'lane' ? { gate, leftByGate: [] } : { mergeGate: gate }) };
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
  return {
    ...lane,
    leftByGate: event.left.map((file) => ({ ...file, gate: event.gate })),
    reasons: status === 'passed' || message === undefined ? [] : [message],
  };
}

function changeGate(lane: LaneRecord, n: number, change: (gate: GateState) => GateState): LaneRecord {
  if (lane.mergeGate?.n === n) return { ...lane, mergeGate: change(lane.mergeGate) };
  return lane.gate?.n === n ? { ...lane, gate: change(lane.gate) } : lane;
}
