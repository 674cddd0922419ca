import type { LaneState } from '../../core/lanes/laneState.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';

const stoppable: ReadonlySet<LaneState> = new Set([
  'preparing',
  'running',
  'waiting',
  'verifying',
  'merging',
]);
const retryable: ReadonlySet<LaneState> = new Set(['failed', 'interrupted', 'blocked']);
const gateable: ReadonlySet<LaneState> = new Set(['open', 'failed', 'ready', 'interrupted', 'blocked']);
const tellable: ReadonlySet<LaneState> = new Set(['failed', 'ready', 'interrupted', 'blocked', 'passed']);

/** Words by which menus and pickers know what may be done with a lane. */
export type LaneWord =
  | 'worktree'
  | 'attempted'
  | 'changed'
  | 'mergeable'
  | 'stoppable'
  | 'retryable'
  | 'gateable'
  | 'tellable'
  | 'discardable';

/** Tried again, it gets its folder again. */
function isRemadeByHand({ by_hand: isByHand, folder_gone: isGone, attempts, state }: LaneView): boolean {
  return isByHand && isGone && attempts.length === 0 && (state === 'open' || state === 'ready');
}

/** In a fixed order; the lane's state is a word of its own in front. */
export function laneWords(lane: LaneView): LaneWord[] {
  const words: Record<LaneWord, boolean> = {
    worktree: lane.path !== null,
    attempted: lane.attempts.length > 0 && lane.path !== null,
    changed: lane.base !== null && lane.head !== null && lane.changes.files > 0,
    mergeable: lane.mergeable,
    stoppable: stoppable.has(lane.state),
    retryable: retryable.has(lane.state) || isRemadeByHand(lane),
    tellable:
      lane.path !== null &&
      tellable.has(lane.state) &&
      lane.attempts.some(({ session_id }) => session_id !== null),
    discardable:
      lane.closing === null &&
      !stoppable.has(lane.state) &&
      lane.state !== 'merged' &&
      lane.state !== 'dropped' &&
      lane.state !== 'reviewing',
    gateable: lane.path !== null && !lane.folder_gone && gateable.has(lane.state),
  };
  return (Object.keys(words) as LaneWord[]).filter((word) => words[word]);
}
