import type { LaneState } from './laneState.ts';

const retryable: ReadonlySet<LaneState> = new Set(['failed', 'interrupted', 'blocked']);
const remadeByHand: ReadonlySet<LaneState> = new Set([...retryable, 'open', 'ready']);

/**
 * Whether a lane in this state is tried again when somebody asks.
 * @param byHand It was made by hand, no agent of ours has begun in it, and its folder is gone: a retry makes that again.
 */
export function isRetryable(state: LaneState, byHand: boolean): boolean {
  return (byHand ? remadeByHand : retryable).has(state);
}
