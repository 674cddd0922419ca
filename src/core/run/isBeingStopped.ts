import { isActive } from './isActive.ts';
import type { RequestBody } from './request.ts';
import type { LaneRecord, RunState } from './runState.ts';

/** Whether what this request stops has not come to its end yet. */
export function isBeingStopped({ status, lanes }: RunState, body: RequestBody): boolean {
  if (body.do === 'stopRun') return status === 'stopping';
  return body.do === 'stopLane' && lanes.some((lane) => lane.id === body.lane && isActive(lane));
}

/** The lane whose merge was made for this request, and for no other, and has no end yet. */
export function mergeBegunFor({ lanes }: RunState, request: string): LaneRecord | undefined {
  return lanes.find(
    ({ merge }) => merge?.request === request && merge.joined.length === 0 && merge.status === 'planned',
  );
}
