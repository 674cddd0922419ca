import type { LaneRecord } from './runState.ts';

/** Whether the lane holds a writer's account and place. One made by hand has none while it is being made. */
export function isWriting({ state, account }: Pick<LaneRecord, 'state' | 'account'>): boolean {
  return account !== undefined && (state === 'preparing' || state === 'running' || state === 'waiting');
}
