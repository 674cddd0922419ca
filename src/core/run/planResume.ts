import { deadPredecessor } from './predecessors.ts';
import type { RequestBody } from './request.ts';
import type { LaneRecord, RunState } from './runState.ts';

type GoOn = Extract<RequestBody, { do: 'retry' | 'gate' }>;

/**
 * What a person who resumes a run wants of its lanes that were broken off: the gate once more where only that is
 * missing, else an agent. In stages: a lane that comes after another is asked for once that one goes on; one that comes
 * after a lane that failed is left to the person.
 *
 * @param lost Lanes whose process died without a result, which the journal does not tell yet
 */
export function planResume(state: RunState, lost: ReadonlySet<string> = new Set()): GoOn[][] {
  const stages: GoOn[][] = [];
  let left = state.lanes.flatMap((lane) => goOn(lane, lost.has(lane.id)));
  for (let now = state; ; now = withQueued(now, stages.at(-1) ?? [])) {
    const stage = left.filter(({ lane }) => !comesAfterDead(now, lane));
    if (stage.length === 0) return stages;
    stages.push(stage);
    left = left.filter((each) => !stage.includes(each));
  }
}

function goOn({ id, state, gate, brokenOff }: LaneRecord, isLost: boolean): GoOn[] {
  switch (state) {
    case 'interrupted':
      return [{ do: gate?.status === 'interrupted' ? 'gate' : 'retry', lane: id }];
    case 'blocked':
      return brokenOff ? [{ do: 'retry', lane: id }] : [];
    case 'preparing':
    case 'running':
    case 'waiting':
      return isLost ? [{ do: 'retry', lane: id }] : [];
    case 'verifying':
      return isLost ? [{ do: 'gate', lane: id }] : [];
    case 'queued':
    case 'open':
    case 'passed':
    case 'failed':
    case 'reviewing':
    case 'ready':
    case 'merging':
    case 'merged':
    case 'dropped':
      return [];
  }
}

function comesAfterDead(state: RunState, id: string): boolean {
  const lane = state.lanes.find((each) => each.id === id);
  return lane !== undefined && deadPredecessor(state, lane) !== undefined;
}

/** The run once those lanes go on. */
function withQueued(state: RunState, stage: readonly GoOn[]): RunState {
  const asked = new Set(stage.map(({ lane }) => lane));
  return {
    ...state,
    lanes: state.lanes.map((lane) => (asked.has(lane.id) ? { ...lane, state: 'queued' } : lane)),
  };
}
