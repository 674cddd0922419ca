import type { LaneRecord, RunState } from './runState.ts';

/** The lane whose merge was made for this request and has no end yet. */
export function mergeBegunFor({ lanes }: RunState, request: string): LaneRecord | undefined {
  return lanes.find(({ merge }) => merge?.request === request && merge.status === 'planned');
}
