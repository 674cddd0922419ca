import type { LaneState } from '../../core/lanes/laneState.ts';
import type { BoardCard } from '../../protocol/boardMessages.ts';

/** The column of the board that a lane's state belongs in. */
export const laneColumn: Readonly<Record<LaneState, BoardCard['column']>> = {
  queued: 'queued',
  open: 'needsYou',
  preparing: 'running',
  running: 'running',
  waiting: 'needsYou',
  interrupted: 'needsYou',
  failed: 'needsYou',
  verifying: 'gate',
  passed: 'gate',
  reviewing: 'review',
  ready: 'ready',
  merging: 'ready',
  merged: 'merged',
  blocked: 'stopped',
  dropped: 'stopped',
};
