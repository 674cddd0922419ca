import type { Action } from './action.ts';
import type { Facts } from './facts.ts';
import type { Request } from './request.ts';
import type { RunEventBody } from './runEvent.ts';
import type { LaneRecord, RunState } from './runState.ts';
import { pendingStep } from './stepFolders.ts';

/** What open requests ask for now; those that must wait give nothing. */
export function decideRequests(state: RunState, facts: Facts): Action[] {
  let mergeUnderWay = !facts.mayMerge || state.lanes.some((lane) => lane.state === 'merging');
  return facts.requests.flatMap((request): Action[] => {
    if (request.do === 'stopRun') return stopRun(state, request);
    const lane = state.lanes.find(({ id }) => id === request.lane);
    if (lane === undefined) return [refuse(request, `There is no lane ${request.lane} in this run.`)];
    switch (request.do) {
      case 'gate':
        return runGate(lane, request);
      case 'retry':
        return retry(lane, request);
      case 'stopLane':
        return stopLane(state, lane, request);
      case 'merge': {
        const actions = merge(lane, request, mergeUnderWay);
        mergeUnderWay ||= actions.some((action) => action.do === 'planMerge');
        return actions;
      }
    }
  });
}

function stopRun(state: RunState, request: Request): Action[] {
  if (state.status !== 'running') return [accept(request, `The run is ${state.status}.`)];
  return [answer(request, true, 'The run stops; its lanes keep what they have.', { type: 'run.stopping' })];
}

function runGate(lane: LaneRecord, request: Request): Action[] {
  if (lane.path === undefined) return [refuse(request, `Lane ${lane.id} has no worktree to check.`)];
  if (lane.state !== 'failed' && lane.state !== 'ready' && lane.state !== 'interrupted') {
    return [refuse(request, `Lane ${lane.id} is ${lane.state}; its gate runs when its agent has ended.`)];
  }
  return [
    answer(request, true, `The gate of lane ${lane.id} runs.`, {
      type: 'lane.reopened',
      lane: lane.id,
      to: 'verifying',
    }),
  ];
}

function retry(lane: LaneRecord, request: Request): Action[] {
  if (lane.state !== 'failed' && lane.state !== 'interrupted' && lane.state !== 'blocked') {
    return [
      refuse(
        request,
        `Lane ${lane.id} is ${lane.state}; only a failed, interrupted or blocked lane is tried again.`,
      ),
    ];
  }
  const message = `Lane ${lane.id} is queued again; what it has so far stays.`;
  return [answer(request, true, message, { type: 'lane.reopened', lane: lane.id, to: 'queued' })];
}

function stopLane(state: RunState, lane: LaneRecord, request: Request): Action[] {
  const folder = pendingStep(lane, state.plan);
  if (folder === undefined) return [refuse(request, `Lane ${lane.id} is ${lane.state}; nothing of it runs.`)];
  return [
    {
      do: 'stopStep',
      lane: lane.id,
      folder,
      answer: [answered(request, true, `Lane ${lane.id} is being stopped.`)],
    },
  ];
}

function merge(
  lane: LaneRecord,
  request: Extract<Request, { do: 'merge' }>,
  mergeUnderWay: boolean,
): Action[] {
  if (lane.merge?.request === request.id) return answerMerge(lane, request);
  if (lane.state === 'merged') return [accept(request, `Lane ${lane.id} is merged already.`)];
  if (lane.state !== 'ready') {
    return [refuse(request, `Lane ${lane.id} is ${lane.state}; only a lane whose gate passed is merged.`)];
  }
  return mergeUnderWay ? [] : [{ do: 'planMerge', lane: lane.id, request }];
}

function answerMerge(lane: LaneRecord, request: Request): Action[] {
  switch (lane.merge?.status) {
    case 'applied':
      return [accept(request, `Lane ${lane.id} is merged into ${lane.merge.made?.target ?? 'its target'}.`)];
    case 'refused':
      return [refuse(request, lane.reasons.join(' '))];
    case 'planned':
    case undefined:
      return [];
  }
}

function accept(request: Request, message: string): Action {
  return answer(request, true, message);
}

function refuse(request: Request, message: string): Action {
  return answer(request, false, message);
}

/** The answer to a request together with what is done about it. */
function answer(request: Request, ok: boolean, message: string, ...done: RunEventBody[]): Action {
  const key = request.do === 'stopRun' ? 'run' : request.lane;
  return { do: 'append', key, events: [...done, answered(request, ok, message)] };
}

function answered(request: Request, ok: boolean, message: string): RunEventBody {
  return { type: 'request.answered', request: request.id, ok, message, ...(!ok && { reason: 'refused' }) };
}
