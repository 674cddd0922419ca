import type { LaneState } from '../lanes/laneState.ts';
import { withStrays } from './laneWarnings.ts';
import type { LaneEvent } from './runEvent.ts';
import type { GateState, LaneRecord } from './runState.ts';

type GateEvent = Extract<LaneEvent, { type: 'gate.started' | 'check.ended' | 'gate.ended' }>;
type EventOf<T extends GateEvent['type']> = Extract<GateEvent, { type: T }>;

/** What a gate run on a lane, or on the tree of its merge, makes of it. `enter` is the lane in another state. */
export function applyGateEvent(
  lane: LaneRecord,
  enter: (state: LaneState) => LaneRecord,
  event: GateEvent,
): LaneRecord {
  switch (event.type) {
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
  }
}

/** A gate that has no end in the journal is shown as broken off. */
export function breakOff(gate: GateState): GateState {
  return gate.status === 'running' ? { ...gate, status: 'interrupted' } : gate;
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
