import type { LaneState } from '../lanes/laneState.ts';
import type { LaneEvent } from './runEvent.ts';
import type { LaneRecord } from './runState.ts';

type ClosingEvent = Extract<
  LaneEvent,
  { type: 'lane.closing' | 'lane.rescued' | 'lane.removed' | 'lane.kept' }
>;
type EventOf<T extends ClosingEvent['type']> = Extract<ClosingEvent, { type: T }>;

/** What rescuing a lane and taking it away makes of it. `enter` is the lane in another state. */
export function applyClosingEvent(
  lane: LaneRecord,
  enter: (state: LaneState) => LaneRecord,
  event: ClosingEvent,
): LaneRecord {
  switch (event.type) {
    case 'lane.closing':
      return { ...lane, closing: closingOf(event) };
    case 'lane.rescued': {
      const { setup: _gone, ...bare } = lane;
      // Before its folder is made again, in which nothing of its setup is then.
      const kept = lane.state === 'preparing' ? bare : lane;
      return { ...kept, rescues: [...lane.rescues, event.rescue] };
    }
    case 'lane.removed':
      return removeWorktree(lane.closing?.why === 'discard' ? enter('dropped') : lane, event);
    case 'lane.kept': {
      const restart = lane.closing?.why === 'restart';
      return { ...withoutClosing(restart ? enter('blocked') : lane), reasons: event.reasons };
    }
  }
}

function closingOf({
  why,
  request,
  accepts_loss,
  message,
}: EventOf<'lane.closing'>): NonNullable<LaneRecord['closing']> {
  return {
    why,
    ...(request !== undefined && { request }),
    ...(accepts_loss && { accepts_loss }),
    ...(message !== undefined && { message }),
  };
}

export function withoutClosing(lane: LaneRecord): LaneRecord {
  const { closing: _over, ...rest } = lane;
  return rest;
}

/** What was judged of it stays to be seen, except where it begins anew. */
function removeWorktree(
  entered: LaneRecord,
  { at, branch, left, warnings = [] }: EventOf<'lane.removed'>,
): LaneRecord {
  const { worktree, intended: _gone, setup: _setup, ...lane } = withoutClosing(entered);
  const removed = worktree && { removed: { at, path: worktree.path, branch, left } };
  const told = [...lane.warnings, ...warnings];
  const kept = {
    ...lane,
    ...removed,
    warnings: told,
    prepared: false,
    placed: [],
    leftByGate: [],
    reasons: [],
  };
  if (entered.closing?.why !== 'restart') return kept;
  const { head: _head, changes: _changes, changesBase: _base, gate: _gate, anew: _done, ...fresh } = kept;
  return { ...fresh, settled: false };
}
