import type { LaneView } from '../../core/lanes/laneView.ts';

/** `api · demo/@one`. */
export function terminalName(lane: LaneView): string {
  return lane.account === null ? lane.lane : `${lane.lane} · ${lane.account}`;
}
