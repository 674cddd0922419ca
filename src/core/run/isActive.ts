import type { LaneRecord } from './runState.ts';

/** States in which an agent, a gate or a merge is under way. */
const activeStates = new Set<LaneRecord['state']>([
  'preparing',
  'running',
  'waiting',
  'verifying',
  'reviewing',
  'merging',
]);

/** Whether a lane is being worked on. */
export function isActive(lane: LaneRecord): boolean {
  return activeStates.has(lane.state) || lane.closing !== undefined;
}
