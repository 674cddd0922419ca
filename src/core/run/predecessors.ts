import type { LaneRecord, RunState } from './runState.ts';

/** The lanes that must be merged before this one begins. */
export function predecessorsOf(state: RunState, lane: LaneRecord): LaneRecord[] {
  return state.lanes.filter(({ job }) => lane.job.depends_on.includes(job.id));
}

/** Whether nothing but an account or a place keeps the lane in the queue. */
export function mayBegin(state: RunState, lane: LaneRecord): boolean {
  if (lane.state !== 'queued' || lane.closing !== undefined) return false;
  return predecessorsOf(state, lane).every((each) => each.state === 'merged');
}

/** A predecessor that is not going to be merged before a person does something about it. */
export function deadPredecessor(state: RunState, lane: LaneRecord): { id: string; how: string } | undefined {
  for (const { id, state: each } of predecessorsOf(state, lane)) {
    switch (each) {
      case 'failed':
        return { id, how: 'failed' };
      case 'interrupted':
      case 'dropped':
        return { id, how: `was ${each}` };
      case 'blocked':
        return { id, how: 'is blocked' };
      case 'queued':
      case 'open':
      case 'preparing':
      case 'running':
      case 'waiting':
      case 'verifying':
      case 'passed':
      case 'reviewing':
      case 'ready':
      case 'merging':
      case 'merged':
    }
  }
  return undefined;
}
