import type { LaneRecord } from './runState.ts';

/** Whether the lane holds a writer's account and place. */
export function isWriting({ state }: Pick<LaneRecord, 'state'>): boolean {
  return state === 'preparing' || state === 'running' || state === 'waiting';
}
