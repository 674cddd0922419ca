import type { LaneState } from '../lanes/laneState.ts';
import { describeWaiting } from '../lanes/waiting.ts';
import { endAttempt, startAttempt } from './applyAttemptEvent.ts';
import { applyClosingEvent, withoutClosing } from './applyClosingEvent.ts';
import { applyGateEvent, breakOff } from './applyGateEvent.ts';
import { addWarnings, withStrays } from './laneWarnings.ts';
import type { LaneEvent, Worktree } from './runEvent.ts';
import { setupOf } from './stepFolders.ts';
import type { LaneRecord, MergeState, SetupState } from './runState.ts';

type EventOf<T extends LaneEvent['type']> = Extract<LaneEvent, { type: T }>;

/** What one event makes of its lane; the given record stays as it is. */
export function applyLaneEvent(lane: LaneRecord, event: LaneEvent): LaneRecord {
  const { waiting: _over, postponed: _no, ...kept } = lane;
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
      const { setup: _gone, ...bare } = lane;
      return {
        ...(event.again ? bare : lane),
        ...made,
        warnings: addWarnings(lane, ...event.warnings),
        placed: event.placed ?? placed,
        ports: event.ports ?? ports,
        prepared: true,
      };
    }
    case 'setup.started': {
      const setup = { n: event.setup, done: 0, status: 'running' } as const;
      return withSetup({ ...lane, setups: event.setup }, setup);
    }
    case 'setup.ended':
      return withStrays(endSetup(lane, enter, event), `setup command ${event.command + 1}`, event.strays);
    case 'lane.postponed':
      return { ...lane, postponed: { until: event.until, message: event.message } };
    case 'lane.opened':
      return { ...enter('open'), reasons: [] };
    case 'lane.blocked':
      return block(withoutClosing(closeOpen(enter('blocked'), event.at)), event);
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
    case 'check.ended':
    case 'gate.ended':
      return applyGateEvent(lane, enter, event);
    case 'merge.planned': {
      const { request, target, from, head, commit, tree, ports = {}, warnings = [] } = event;
      const { mergeGate: _earlier, ...entered } = enter('merging');
      const made = { target, from, head, commit, tree, ports };
      return {
        ...entered,
        reasons: [],
        warnings: addWarnings(lane, ...warnings),
        merge: { request, joined: [], status: 'planned', made },
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
    case 'lane.closing':
    case 'lane.rescued':
    case 'lane.removed':
    case 'lane.kept':
      return applyClosingEvent(lane, enter, event);
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
  const setup = setupOf(lane);
  if (setup === undefined) return lane;
  if (event.outcome === 'succeeded') return withSetup(lane, { ...setup, done: setup.done + 1 });
  const message = event.message ?? `Its setup ${event.outcome}.`;
  const failed = { ...setup, status: 'failed', message } as const;
  // A merge is refused by what is decided of it next, as after its gate.
  if (lane.state === 'merging') return withSetup(lane, failed);
  const isDeferred = event.outcome === 'stopped' || event.outcome === 'lost';
  return {
    ...withSetup(enter('blocked'), failed),
    reasons: [message],
    ...(isDeferred && { deferred: true }),
  };
}

function withSetup(lane: LaneRecord, setup: SetupState): LaneRecord {
  return lane.state === 'merging' ? changeMerge(lane, (merge) => ({ ...merge, setup })) : { ...lane, setup };
}

function block(entered: LaneRecord, { message, after, deferred }: EventOf<'lane.blocked'>): LaneRecord {
  const { blockedAfter: _earlier, deferred: _before, ...lane } = entered;
  return {
    ...lane,
    reasons: [message],
    ...(after !== undefined && { blockedAfter: after }),
    ...(deferred && { deferred: true }),
  };
}

function reopen(entered: LaneRecord, event: EventOf<'lane.reopened'>): LaneRecord {
  const {
    gate: _earlier,
    blockedAfter: _gone,
    deferred: _ok,
    limited: _over,
    anew: wasAnew,
    ...lane
  } = entered;
  // An agent that did not come to begin goes on as it was to; a person who asks again keeps what is there.
  const { retry, message, next = wasAnew && { how: 'handover' }, limited, accepts, anew } = event;
  const isAsked = retry !== undefined;
  return {
    ...lane,
    reasons: [],
    settled: false,
    ...(event.to === 'preparing' && { prepared: false }),
    tried: isAsked ? [] : lane.tried,
    failures: isAsked ? { failed: 0, timeouts: 0 } : lane.failures,
    foreign: accepts ? [] : lane.foreign,
    ...(anew && { anew }),
    ...(next !== undefined && { next }),
    ...(limited && { limited }),
    warnings: message === undefined ? lane.warnings : addWarnings(lane, message),
  };
}

/** Nothing goes on in a lane that was given up: what has no end in the journal is shown as broken off. */
function closeOpen(lane: LaneRecord, at: string): LaneRecord {
  return {
    ...lane,
    attempts: lane.attempts.map((attempt) =>
      attempt.outcome === 'running' ? { ...attempt, outcome: 'lost', ended_at: at } : attempt,
    ),
    ...(lane.gate && { gate: breakOff(lane.gate) }),
    ...(lane.mergeGate && { mergeGate: breakOff(lane.mergeGate) }),
  };
}

function changeMerge(lane: LaneRecord, change: (merge: MergeState) => MergeState): LaneRecord {
  return lane.merge === undefined ? lane : { ...lane, merge: change(lane.merge) };
}
