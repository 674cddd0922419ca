import type { LaneState } from '../lanes/laneState.ts';
import type { LaneEvent } from './runEvent.ts';
import type { LaneRecord } from './runState.ts';
import { runningGate, setupOf } from './stepFolders.ts';

/** States in which nothing of it runs or is about to. A restart is decided with the lane back in the queue. */
const atRest = [
  'queued',
  'open',
  'passed',
  'failed',
  'ready',
  'merged',
  'interrupted',
  'blocked',
  'dropped',
] as const satisfies readonly LaneState[];

/** In which states of its lane an event may happen. What it leads to stands in the table of transitions. */
const happensIn: Record<LaneEvent['type'], readonly LaneState[]> = {
  'lane.assigned': ['queued'],
  'lane.created': ['preparing'],
  'setup.started': ['preparing', 'merging'],
  'setup.ended': ['preparing', 'merging'],
  'lane.opened': ['preparing'],
  'lane.blocked': [
    'queued',
    'preparing',
    'running',
    'waiting',
    'verifying',
    'failed',
    'interrupted',
    'blocked',
  ],
  'lane.postponed': ['queued'],
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
  'lane.reopened': ['preparing', 'failed', 'ready', 'interrupted', 'blocked', 'open'],
  'lane.closing': atRest,
  // Also before a folder that is gone is made again.
  'lane.rescued': [...atRest, 'preparing'],
  'lane.removed': atRest,
  'lane.kept': atRest,
};

/** All that happens to a lane that is being closed. */
const whileClosing = new Set<LaneEvent['type']>([
  'lane.rescued',
  'lane.removed',
  'lane.kept',
  'lane.blocked',
]);

/** Why an event cannot follow on what the journal told of its lane before; nothing when it can. */
export function findContradiction(lane: LaneRecord, event: LaneEvent): string | undefined {
  if (!happensIn[event.type].includes(lane.state))
    return `${event.type} cannot happen while lane ${lane.id} is ${lane.state}`;
  if (lane.closing !== undefined && !whileClosing.has(event.type))
    return `${event.type} cannot happen while lane ${lane.id} is being closed`;
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
    case 'setup.started':
      if (lane.state === 'merging' && (lane.merge?.setup ?? lane.mergeGate) !== undefined)
        return `the merge of lane ${lane.id} is past the beginning of its setup`;
      if (lane.state === 'preparing' && !lane.prepared)
        return `a setup of lane ${lane.id} cannot start before its worktree stands`;
      return expectNumber(lane, 'setup', event.setup, lane.setups + 1);
    case 'setup.ended': {
      const setup = setupOf(lane);
      if (setup?.done !== event.command)
        return `command ${event.command} of the setup is not the one under way`;
      return expectNumber(lane, 'setup', event.setup, setup.n);
    }
    case 'lane.rescued':
      if (lane.state === 'preparing' && lane.worktree !== undefined) return undefined;
      return lane.closing === undefined ? `${event.type} without a closing of lane ${lane.id}` : undefined;
    case 'lane.removed':
    case 'lane.kept':
      return lane.closing === undefined ? `${event.type} without a closing of lane ${lane.id}` : undefined;
    case 'check.ended':
    case 'gate.ended':
      return expectNumber(lane, 'gate', event.gate, runningGate(lane)?.n ?? 0);
    case 'merge.applied':
      if (lane.state === 'merging' || event.from === event.to) return undefined;
      return `the target cannot move for lane ${lane.id}, whose merge was not planned`;
    case 'lane.closing':
    case 'lane.assigned':
    case 'lane.postponed':
    case 'lane.opened':
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
      if (event.to === 'preparing' && !lane.byHand) return `lane ${lane.id} was not made by hand`;
      if (event.to !== 'verifying' || lane.worktree !== undefined) return undefined;
      return `lane ${lane.id} has no worktree that a gate could check`;
  }
}

function expectNumber(
  lane: LaneRecord,
  what: 'attempt' | 'gate' | 'setup',
  found: number,
  expected: number,
): string | undefined {
  if (found === expected) return undefined;
  return `lane ${lane.id} is at ${what} ${expected}, not ${found}`;
}
