import { isActive } from './isActive.ts';
import type { RequestBody } from './request.ts';
import type { RunState } from './runState.ts';

/** Whether what this request stops has not come to its end yet. */
export function isBeingStopped({ status, lanes }: RunState, body: RequestBody): boolean {
  if (body.do === 'stopRun') return status === 'stopping';
  return body.do === 'stopLane' && lanes.some((lane) => lane.id === body.lane && isActive(lane));
}
