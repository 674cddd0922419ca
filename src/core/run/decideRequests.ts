import type { Action } from './action.ts';
import type { Facts } from './facts.ts';
import type { Request } from './request.ts';
import { accept, answer, answered, refuse } from './answerRequest.ts';
import { reopenForTelling, reopenToBeTried, reopenToVerify } from './reopenByRequest.ts';
import type { RunEventBody } from './runEvent.ts';
import { isActive } from './isActive.ts';
import { isClosed } from './fold.ts';
import { noTarget, whyNoTarget } from './noTarget.ts';
import type { LaneRecord, RunState } from './runState.ts';
import { pendingStep, runningGate } from './stepFolders.ts';

/** What open requests ask for now; those that must wait give nothing. */
export function decideRequests(state: RunState, facts: Facts): Action[] {
  let mergeUnderWay = !facts.mayMerge || state.lanes.some((lane) => lane.state === 'merging');
  // The list of requests may be older than the state.
  const open = facts.requests.filter(({ id }) => !(id in state.answers));
  return open.flatMap((request, index): Action[] => {
    const before = open.slice(0, index);
    if (request.do === 'stopRun') return stopRun(state, request, before.some(reopens));
    if (request.do === 'addLane') return addLane(state, request);
    // What comes after a stop sees its effect first.
    if (reopens(request) && before.some((each) => each.do === 'stopRun')) return [];
    const lane = state.lanes.find(({ id }) => id === request.lane);
    if (lane === undefined) return [refuse(request, `There is no lane ${request.lane} in this run.`)];
    if (request.do === 'stopLane') return stopLane(state, lane, request, facts);
    // What ended while nobody looked is collected first: the lane is not at work any more.
    if (hasEnded(state, lane, facts)) return [];
    const guest = facts.guests?.[lane.id];
    if (guest !== undefined && request.do !== 'merge')
      return [
        refuse(
          request,
          `${guest} is at work in lane ${lane.id}; stop it: ak lane stop ${lane.id}, or wait until it has ended.`,
        ),
      ];
    if (request.do === 'discard' || request.do === 'remove') return close(lane, request);
    // A merge that was begun is answered whatever became of the run meanwhile.
    if (state.status === 'stopping' && !isMergeOf(lane, request))
      return [refuse(request, 'The run is being stopped; ask again when it has.')];
    switch (request.do) {
      case 'gate':
        return reopenToVerify(lane, request);
      case 'retry':
        return reopenToBeTried(state, lane, request, facts.gone?.has(lane.id) === true);
      case 'tell':
        return reopenForTelling(lane, request);
      case 'merge': {
        const actions =
          state.target.ref === noTarget
            ? [refuse(request, whyNoTarget(lane.worktree?.branch))]
            : merge(lane, request, mergeUnderWay);
        mergeUnderWay ||= actions.some((action) => action.do === 'planMerge');
        return actions;
      }
    }
  });
}

/** Whether the process that a lane waits for is not there any more, or its gate has run all that it runs. */
function hasEnded(state: RunState, lane: LaneRecord, { steps }: Facts): boolean {
  const folder = pendingStep(lane, state.plan);
  if (folder === undefined) return lane.state === 'verifying' && runningGate(lane) !== undefined;
  return ['ended', 'lost'].includes(steps[folder]?.state ?? '');
}

/** Whether the lane's newest merge was made for this request, or for one that it joined. */
function isMergeOf({ merge }: LaneRecord, { id }: Request): boolean {
  return merge !== undefined && (merge.request === id || merge.joined.includes(id));
}

/** Whether a request can begin a run that has ended again. */
function reopens(request: Request): boolean {
  return request.do === 'retry' || request.do === 'gate' || request.do === 'tell';
}

/** A run that does not run needs no stop, unless a request before this one begins it again. */
function stopRun(state: RunState, request: Request, mayBeginAgain: boolean): Action[] {
  if (state.status !== 'running')
    return mayBeginAgain ? [] : [accept(request, `The run is ${state.status}.`)];
  return [answer(request, true, 'The run stops; its lanes keep what they have.', { type: 'run.stopping' })];
}

/** A lane by hand. Its name was chosen in a turn, so only a request that is older than another's can find it taken. */
function addLane(state: RunState, request: Extract<Request, { do: 'addLane' }>): Action[] {
  const { lane, job, own, worktree, restores, adopts, target, warnings } = request;
  if (!state.standing) return [refuse(request, 'Lanes by hand belong to the standing run.')];
  if (state.lanes.some((each) => each.id === lane && !isClosed(each)))
    return [refuse(request, `There is a lane ${lane} already; give it another name.`)];
  const taken = state.lanes.find((each) => adopts !== undefined && each.adopts?.nonce === adopts.nonce);
  if (taken !== undefined) return [refuse(request, `${worktree.path} is lane ${taken.id} already.`)];
  const added = {
    type: 'lane.added',
    lane,
    job,
    own,
    worktree,
    ...(restores !== undefined && { restores }),
    ...(adopts !== undefined && { adopts }),
    ...(target !== undefined && state.target.ref === noTarget && { target }),
    ...(warnings !== undefined && { warnings }),
  } as const;
  return [answer(request, true, `Lane ${lane} is being made.`, added)];
}

/** Rescues and takes away what the lane holds; who asked is answered when that has ended. */
function close(lane: LaneRecord, request: Extract<Request, { do: 'discard' | 'remove' }>): Action[] {
  if (lane.closing !== undefined) return [];
  const { id, state } = lane;
  if (isActive(lane)) return [refuse(request, `Lane ${id} is ${state}; stop it first: ak lane stop ${id}`)];
  if (isClosed(lane))
    return [accept(request, `Lane ${id} is ${state}, and nothing of it is left to take away.`)];
  if (request.do === 'remove' && state !== 'merged' && state !== 'dropped')
    return [
      refuse(
        request,
        `Lane ${id} is ${state}; only a merged or dropped lane is cleaned up. Discard it instead.`,
      ),
    ];
  if (request.do === 'discard' && state === 'merged')
    return [refuse(request, `Lane ${id} is merged; clean it up instead: ak lane clean --merged`)];
  const closing: RunEventBody = {
    type: 'lane.closing',
    lane: id,
    why: request.do,
    request: request.id,
    ...(request.accepts_loss && { accepts_loss: true }),
  };
  return [{ do: 'append', key: id, events: [closing] }];
}

/** States in which something runs, or is about to. */
const hasProcesses = new Set<LaneRecord['state']>(['preparing', 'running', 'waiting', 'verifying']);

/**
 * Stops what runs in the lane. A request that comes between two processes waits for the next one to run: only
 * what runs can be stopped, and an answer tells what was done.
 */
function stopLane(state: RunState, lane: LaneRecord, request: Request, facts: Facts): Action[] {
  const setup = lane.state === 'preparing' ? pendingStep(lane, state.plan) : undefined;
  if (lane.state === 'preparing' && (setup === undefined || facts.steps[setup]?.state === 'absent')) {
    const message = 'It was stopped before its agent began.';
    return [answer(request, true, message, { type: 'lane.blocked', lane: lane.id, message, deferred: true })];
  }
  if (lane.state === 'merging') {
    const message = `The merge of lane ${lane.id} is being stopped.`;
    if (lane.merge?.status === 'stopping') return [accept(request, message)];
    return [answer(request, true, message, { type: 'merge.stopping', lane: lane.id })];
  }
  if (!hasProcesses.has(lane.state))
    return [refuse(request, `Lane ${lane.id} is ${lane.state}; nothing of it runs.`)];
  const folder = pendingStep(lane, state.plan);
  const step = folder === undefined ? undefined : facts.steps[folder];
  if (folder === undefined || (step?.state !== 'starting' && step?.state !== 'running')) return [];
  const told = answered(request, true, `Lane ${lane.id} is being stopped.`);
  return [{ do: 'stopStep', lane: lane.id, folder, answer: [told] }];
}

function merge(
  lane: LaneRecord,
  request: Extract<Request, { do: 'merge' }>,
  mergeUnderWay: boolean,
): Action[] {
  if (isMergeOf(lane, request)) return answerMerge(lane, request);
  if (lane.closing !== undefined) return [];
  if (lane.state === 'merged') return [accept(request, `Lane ${lane.id} is merged already.`)];
  if (lane.state === 'merging') return joinMerge(lane, request);
  if (lane.state !== 'ready') {
    return [refuse(request, `Lane ${lane.id} is ${lane.state}; only a lane whose gate passed is merged.`)];
  }
  return mergeUnderWay ? [] : [{ do: 'planMerge', lane: lane.id, request }];
}

/** Asks for what is done already, as after the death of an owner: both requests get the answer of the one merge. */
function joinMerge(lane: LaneRecord, request: Extract<Request, { do: 'merge' }>): Action[] {
  const from = lane.merge?.made?.from;
  if (lane.merge?.status !== 'planned' || (request.expect !== undefined && request.expect !== from))
    return [refuse(request, `Lane ${lane.id} is merging; ask again when that has ended.`)];
  const joined: RunEventBody = { type: 'merge.joined', lane: lane.id, request: request.id };
  return [{ do: 'append', key: lane.id, events: [joined] }];
}

function answerMerge(lane: LaneRecord, request: Request): Action[] {
  switch (lane.merge?.status) {
    case 'applied':
      return [accept(request, `Lane ${lane.id} is merged into ${lane.merge.made?.target ?? 'its target'}.`)];
    case 'refused':
      return [refuse(request, lane.reasons.join(' '))];
    case 'planned':
    case 'stopping':
    case undefined:
      return [];
  }
}
