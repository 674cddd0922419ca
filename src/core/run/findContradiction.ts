import type { LaneState } from '../lanes/laneState.ts';
import type { LaneEvent } from './runEvent.ts';
import type { LaneRecord } from './runState.ts';
import { runningGate } from './stepFolders.ts';

/** In which states of its lane an event may happen. What it leads to stands in the table of transitions. */
const happensIn: Record<LaneEvent['type'], readonly LaneState[]> = {
  'lane.assigned': ['queued'],
  'lane.created': ['preparing'],
  'lane.blocked': ['queued', 'preparing', 'running', 'waiting', 'verifying', 'failed', 'interrupted'],
  'attempt.started': ['preparing'],
  'lane.waiting': ['running', 'waiting'],
  'lane.continued': ['waiting'],
  'attempt.ended': ['running', 'waiting'],
  'lane.settled': ['verifying'],
  'gate.started': ['verifying', 'merging'],
  'check.ended': ['verifying', 'merging'],
  'gate.ended': ['verifying', 'merging'],
  'merge.planned': ['ready'],
  'merge.joined': ['merging'],
  'merge.stopping': ['merging'],
  'merge.refused': ['ready', 'merging'],
  'merge.applied': ['ready', 'merging'],
  'lane.reopened': ['preparing', 'failed', 'ready', 'interrupted', 'blocked'],
};

/** Why an event cannot follow on what the journal told of its lane before; nothing when it can. */
export function findContradiction(lane: LaneRecord, event: LaneEvent): string | undefined {
  if (!happensIn[event.type].includes(lane.state))
    return `${event.type} cannot happen while lane ${lane.id} is ${lane.state}`;
  switch (event.type) {
    case 'attempt.started':
      return expectNumber(lane, 'attempt', event.attempt, lane.attempts.length + 1);
    case 'attempt.ended':
      return expectNumber(lane, 'attempt', event.attempt, lane.attempts.length);
    case 'gate.started':
      if (runningGate(lane) !== undefined) return `a gate of lane ${lane.id} is under way already`;
      if ((event.subject === 'merge') !== (lane.state === 'merging'))
        return `a gate on the ${event.subject} cannot start while lane ${lane.id} is ${lane.state}`;
      return expectNumber(lane, 'gate', event.gate, lane.gates + 1);
    case 'check.ended':
    case 'gate.ended':
      return expectNumber(lane, 'gate', event.gate, runningGate(lane)?.n ?? 0);
    case 'merge.applied':
      if (lane.state === 'merging' || event.from === event.to) return undefined;
      return `the target cannot move for lane ${lane.id}, whose merge was not planned`;
    case 'lane.assigned':
    case 'lane.created':
    case 'lane.blocked':
    case 'lane.waiting':
    case 'lane.continued':
    case 'lane.settled':
    case 'merge.planned':
    case 'merge.joined':
    case 'merge.stopping':
    case 'merge.refused':
      return undefined;
    case 'lane.reopened':
      if (event.to === 'queued' || lane.worktree !== undefined) return undefined;
      return `lane ${lane.id} has no worktree that a gate could check`;
  }
}

function expectNumber(
  lane: LaneRecord,
  what: 'attempt' | 'gate',
  found: number,
  expected: number,
): string | undefined {
  if (found === expected) return undefined;
  return `lane ${lane.id} is at ${what} ${expected}, not ${found}`;
}
