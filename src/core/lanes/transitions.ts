import type { LaneState } from './laneState.ts';

/**
 * Which state may follow which. `fold` refuses any other step, so a journal that breaks the table is
 * reported instead of believed.
 */
export const transitions: Record<LaneState, readonly LaneState[]> = {
  queued: ['preparing', 'blocked', 'dropped'],
  open: ['verifying', 'queued', 'preparing', 'dropped'],
  preparing: ['running', 'blocked', 'queued', 'open'],
  running: ['verifying', 'failed', 'interrupted', 'blocked', 'waiting'],
  waiting: ['running', 'verifying', 'failed', 'interrupted', 'blocked'],
  verifying: ['ready', 'passed', 'failed', 'interrupted', 'blocked'],
  passed: ['reviewing', 'ready', 'verifying'],
  failed: ['queued', 'preparing', 'verifying', 'dropped', 'blocked'],
  reviewing: ['ready', 'failed'],
  ready: ['merging', 'merged', 'verifying', 'dropped', 'queued', 'preparing'],
  merging: ['merged', 'ready'],
  merged: [],
  interrupted: ['queued', 'preparing', 'verifying', 'dropped', 'blocked'],
  blocked: ['queued', 'preparing', 'verifying', 'dropped'],
  dropped: [],
};

export function mayFollow(from: LaneState, to: LaneState): boolean {
  return transitions[from].includes(to);
}
