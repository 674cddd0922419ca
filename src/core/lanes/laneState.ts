/** The states of a lane (design chapter 2). */
export const laneStates = [
  'queued',
  'open',
  'preparing',
  'running',
  'waiting',
  'verifying',
  'passed',
  'failed',
  'reviewing',
  'ready',
  'merging',
  'merged',
  'interrupted',
  'blocked',
  'dropped',
] as const;

export type LaneState = (typeof laneStates)[number];
