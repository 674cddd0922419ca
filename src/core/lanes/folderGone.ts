import { isRetryable } from './isRetryable.ts';
import type { LaneState } from './laneState.ts';

interface GoneLane {
  lane: string;
  path: string;
  branch: string;
  state: LaneState;
  /** Whether no agent of ours has begun in it. */
  byHand: boolean;
}

/** Says that a lane's folder is gone, and what helps. */
export function folderGone(lane: GoneLane): string {
  return `Its folder ${lane.path} is gone. If it lies on a drive, connect that; if it was moved, move it back; else ${cureFor(lane)}`;
}

function cureFor({ lane, branch, state, byHand }: GoneLane): string {
  if (isRetryable(state, byHand))
    return `"ak lane retry ${lane}" makes it again from ${branch}, and keeps what git still knows of it in a rescue.`;
  switch (state) {
    case 'queued':
      return `it is made again from ${branch} when its turn comes.`;
    case 'ready':
    case 'merging':
      return `its commits stand on ${branch} and can be merged without it.`;
    case 'merged':
    case 'dropped':
      return '"ak lane clean" forgets it.';
    case 'open':
    case 'preparing':
    case 'running':
    case 'waiting':
    case 'verifying':
    case 'passed':
    case 'failed':
    case 'reviewing':
    case 'interrupted':
    case 'blocked':
      return `stop what runs there (ak lane stop ${lane}), then retry it.`;
  }
}
