import { deadPredecessor } from './predecessors.ts';
import type { RequestBody } from './request.ts';
import type { LaneRecord, RunState } from './runState.ts';

type GoOn = Extract<RequestBody, { do: 'retry' | 'gate' }>;

/** What the disk tells of lanes and the journal does not. */
export interface ResumeFacts {
  /** Their process was lost or stopped, and nobody has collected that yet. */
  broken: ReadonlySet<string>;
  /** Their worktree's folder is not there. */
  gone: ReadonlySet<string>;
}

const nothing: ResumeFacts = { broken: new Set(), gone: new Set() };

/**
 * What a person who resumes a run wants of its lanes that were broken off: the gate once more where only that is
 * missing, else an agent. One that comes after another follows by itself once that goes on.
 */
export function planResume(state: RunState, { broken, gone }: ResumeFacts = nothing): GoOn[] {
  const lanes = state.lanes.map((lane): LaneRecord =>
    broken.has(lane.id) ? { ...lane, state: 'interrupted' } : lane,
  );
  return state.lanes.flatMap((lane) => {
    if (deadPredecessor({ ...state, lanes }, lane) !== undefined) return [];
    const wish = wishFor(lane, broken.has(lane.id));
    if (wish === undefined) return [];
    return [{ do: gone.has(lane.id) ? 'retry' : wish, lane: lane.id, resumed: true }];
  });
}

function wishFor({ state, gate, deferred }: LaneRecord, isBroken: boolean): GoOn['do'] | undefined {
  switch (state) {
    case 'interrupted':
      return gate?.status === 'interrupted' ? 'gate' : 'retry';
    case 'blocked':
      return deferred ? 'retry' : undefined;
    case 'preparing':
    case 'running':
    case 'waiting':
      return isBroken ? 'retry' : undefined;
    case 'verifying':
      return isBroken ? 'gate' : undefined;
    case 'queued':
    case 'open':
    case 'passed':
    case 'failed':
    case 'reviewing':
    case 'ready':
    case 'merging':
    case 'merged':
    case 'dropped':
      return undefined;
  }
}
