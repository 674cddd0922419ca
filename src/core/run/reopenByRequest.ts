import { isRetryable } from '../lanes/isRetryable.ts';
import type { Action } from './action.ts';
import { answer, refuse } from './answerRequest.ts';
import { isActive } from './isActive.ts';
import type { NextAttempt } from './nextAttempt.ts';
import { deadPredecessor } from './predecessors.ts';
import type { Request } from './request.ts';
import type { LaneRecord, RunState } from './runState.ts';

type RequestTo<T extends Request['do']> = Extract<Request, { do: T }>;

/** States in which no agent is at work or about to be. */
const gateable = new Set<LaneRecord['state']>(['open', 'failed', 'ready', 'interrupted', 'blocked']);

/** Its gate once more. */
export function reopenToVerify(lane: LaneRecord, request: RequestTo<'gate'>): Action[] {
  if (lane.closing !== undefined) return [];
  if (lane.worktree === undefined) return [refuse(request, `Lane ${lane.id} has no worktree to check.`)];
  if (!gateable.has(lane.state)) {
    return [refuse(request, `Lane ${lane.id} is ${lane.state}; its gate runs when its agent has ended.`)];
  }
  return [
    answer(request, true, `The gate of lane ${lane.id} runs.`, {
      type: 'lane.reopened',
      lane: lane.id,
      to: 'verifying',
      ...accepting(lane, request.resumed),
      // A gate that was broken off decides the same the next time.
      ...(lane.state === 'interrupted' && lane.limited && { limited: true }),
    }),
  ];
}

/** An agent once more; by hand, its folder. */
export function reopenToBeTried(
  state: RunState,
  lane: LaneRecord,
  request: RequestTo<'retry'>,
  isGone: boolean,
): Action[] {
  if (lane.closing !== undefined) return [];
  const isAgain = lane.state === 'blocked' || (isGone && isRetryable(lane.state, true));
  if (lane.byHand && isAgain && lane.attempts.length === 0) {
    const made = {
      type: 'lane.reopened',
      lane: lane.id,
      to: 'preparing',
      retry: request.id,
      ...accepting(lane, request.resumed),
    } as const;
    return [answer(request, true, `Lane ${lane.id} is being made again.`, made)];
  }
  if (lane.byHand && lane.attempts.length === 0) {
    const cure = `work in it and have its gate run: ak lane gate ${lane.id}`;
    return [refuse(request, `Lane ${lane.id} is ${lane.state} and was made by hand; ${cure}`)];
  }
  if (!isRetryable(lane.state, false)) {
    return [
      refuse(
        request,
        `Lane ${lane.id} is ${lane.state}; only a failed, interrupted or blocked lane is tried again.`,
      ),
    ];
  }
  const dead = deadPredecessor(state, lane);
  if (dead !== undefined) {
    const cure = `try ${dead.id} again and ${lane.id} follows`;
    return [refuse(request, `Lane ${lane.id} comes after ${dead.id}, which ${dead.how}; ${cure}.`)];
  }
  const message = `Lane ${lane.id} is queued again; what it has so far stays.`;
  const again = {
    type: 'lane.reopened',
    lane: lane.id,
    to: 'queued',
    retry: request.id,
    ...accepting(lane, request.resumed),
    ...nextOf(lane),
  } as const;
  return [answer(request, true, message, again)];
}

/** Whoever asks for this lane has been told what changed outside of it; a resume asks for all that was broken off. */
function accepting({ foreign }: LaneRecord, resumed: true | undefined): { accepts?: true } {
  return foreign.length > 0 && !resumed ? { accepts: true } : {};
}

/** What an agent was told by a person and did not get done is told again; others are told of the one before them. */
function nextOf(lane: LaneRecord): { next?: NextAttempt } {
  const { next, outcome } = lane.attempts.at(-1) ?? {};
  if (next?.how === 'tell' && (outcome === 'stopped' || outcome === 'lost')) return { next };
  return findsWork(lane) ? { next: { how: 'handover' } } : {};
}

/**
 * Whether its next agent is to be told of one before it: one that has not begun yet goes on as it was to, and where
 * what the last one left was looked at and is nothing, there is nothing to tell.
 */
function findsWork({ attempts, next, worktree, settled, changes }: LaneRecord): boolean {
  if (attempts.length === 0 || next !== undefined || worktree === undefined) return false;
  return !settled || changes === undefined || changes.files > 0 || changes.commits > 0;
}

/** States in which a conversation has come to an end that a person can have go on. */
const tellable = new Set<LaneRecord['state']>(['failed', 'ready', 'interrupted', 'blocked', 'passed']);

/** The agent's own session once more, with what a person says. */
export function reopenForTelling(lane: LaneRecord, request: RequestTo<'tell'>): Action[] {
  if (lane.closing !== undefined) return [];
  const { id, state, attempts } = lane;
  if (isActive(lane) || state === 'queued')
    return [
      refuse(
        request,
        `Lane ${id} is ${state}; tell it something when its agent has ended, or stop it first.`,
      ),
    ];
  if (!tellable.has(state) || lane.worktree === undefined)
    return [refuse(request, `Lane ${id} is ${state}; there is no agent in it that could go on.`)];
  const { session, account, text } = request;
  if (!attempts.some((each) => each.session_id === session && each.account === account))
    return [refuse(request, `Lane ${id} has no session ${session} of ${account}.`)];
  const next = { how: 'tell', session, account, text } as const;
  const again = {
    type: 'lane.reopened',
    lane: id,
    to: 'queued',
    retry: request.id,
    next,
    ...accepting(lane, undefined),
  } as const;
  return [answer(request, true, `The agent of lane ${id} is told.`, again)];
}
