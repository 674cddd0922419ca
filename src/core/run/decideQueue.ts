import type { Job } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { assign, type Assignment } from './assign.ts';
import type { AccountFact, Facts } from './facts.ts';
import { isWriting } from './isWriting.ts';
import { loginOf } from './loginOf.ts';
import { deadPredecessor, mayBegin } from './predecessors.ts';
import type { RunEventBody } from './runEvent.ts';
import type { Exclusion, LaneRecord, RunState } from './runState.ts';

/**
 * What becomes of the lanes that wait to begin. Those that come after a lane that failed, was interrupted or
 * dropped, or is blocked, are blocked with that reason, so that the run comes to its end; they are queued
 * again by themselves as soon as a person has that lane tried again.
 */
export function decideQueue(state: RunState, facts: Facts): Action[] {
  const queued = state.lanes.filter((lane) => lane.state === 'queued' && lane.closing === undefined);
  if (state.status === 'stopping')
    return queued.map((lane) => block(lane, 'The run was stopped before it began.', { deferred: true }));
  const following = state.lanes.flatMap((lane) => followPredecessors(state, lane));
  return following.length > 0 || !facts.startNew ? following : assignQueued(state, facts);
}

function followPredecessors(state: RunState, lane: LaneRecord): Action[] {
  if (lane.closing !== undefined) return [];
  const dead = deadPredecessor(state, lane);
  const waits = lane.state === 'queued' || (lane.state === 'blocked' && lane.deferred === true);
  if (waits && dead !== undefined)
    return [block(lane, `It comes after ${dead.id}, which ${dead.how}.`, { after: dead.id })];
  if (lane.state === 'blocked' && lane.blockedAfter !== undefined && dead === undefined)
    return [append({ type: 'lane.reopened', lane: lane.id, to: 'queued' })];
  return [];
}

function assignQueued(state: RunState, facts: Facts): Action[] {
  const able = state.lanes.filter((lane) => mayBegin(state, lane));
  const writing = state.lanes.filter(isWriting);
  const places = (state.plan.concurrency ?? Infinity) - writing.length;
  const jobs = able.map(jobOf);
  const accounts = withHeld(facts.accounts, writing);
  const now = facts.now === undefined || state.plan.when_empty !== 'wait' ? -Infinity : Date.parse(facts.now);
  const holds = ({ resets_at }: Exclusion) => resets_at === undefined || !(Date.parse(resets_at) <= now);
  const keptFrom = ({ id }: Job) => [
    ...state.excluded,
    ...able.flatMap(({ job, tried }) => (job.id === id ? tried.filter(holds) : [])),
  ];
  return assign(jobs, state.plan, accounts, places, keptFrom).flatMap((assignment, index): Action[] => {
    const lane = able[index];
    if (lane === undefined || 'waits' in assignment) return [];
    if ('blocked' in assignment) return whenEmpty(state, lane, assignment);
    // Somebody can go on, so what is there makes room.
    if (lane.anew) return [append({ type: 'lane.closing', lane: lane.id, why: 'restart' })];
    const { account, headroom_pct } = assignment.account;
    return [{ do: 'assign', lane: lane.id, account, headroom_pct }];
  });
}

/** The queue is left alone until the soonest reset, once that is told; then the quota is read once. */
function whenEmpty(
  { plan }: Pick<RunState, 'plan'>,
  lane: LaneRecord,
  { blocked, next_reset_at: until }: Extract<Assignment, { blocked: string }>,
): Action[] {
  if (plan.when_empty !== 'wait' || until === null) return [blockWithoutAccount(lane, blocked)];
  return lane.postponed?.until === until
    ? []
    : [append({ type: 'lane.postponed', lane: lane.id, until, message: blocked })];
}

/** A lane whose last agent ran out of time says so first: that nobody else can try it explains nothing. */
function blockWithoutAccount(lane: LaneRecord, blocked: string): Action {
  const last = lane.attempts.at(-1);
  if (last?.outcome !== 'timeout') return block(lane, blocked, { deferred: true });
  const how = last.message?.replace(/[.\s]*$/, '') ?? 'its time was over';
  const advice = 'Split the job, or give it more time; it is not tried once more:';
  return block(lane, `It ran out of time (${how}). ${advice} ${blocked}`);
}

/** The job as its next agent takes it: a conversation goes on only with its own vendor, or its own account. */
function jobOf({ job, next }: LaneRecord): Job {
  switch (next?.how) {
    case 'tell':
      return { ...job, account: next.account };
    case 'continue':
      return { ...job, kind: next.kind };
    case 'handover':
    case undefined:
      return job;
  }
}

/** An account that a lane of this run has is in use, also while its lease has lapsed with a dead owner. */
function withHeld(accounts: readonly AccountFact[], lanes: readonly LaneRecord[]): AccountFact[] {
  const logins = new Map(accounts.map((each) => [each.account, loginOf(each)]));
  const held = lanes.map(({ account = '' }) => logins.get(account) ?? account);
  return accounts.map((each) => {
    const mine = held.filter((login) => login === loginOf(each)).length;
    const { slots = 1, writers = each.busy ? slots : 0 } = each;
    const used = Math.max(writers, mine);
    return { ...each, slots, writers: used, busy: used >= slots };
  });
}

function block({ id }: LaneRecord, message: string, why: { after?: string; deferred?: true } = {}): Action {
  return append({ type: 'lane.blocked', lane: id, message, ...why });
}

function append(event: Extract<RunEventBody, { lane: string }>): Action {
  return { do: 'append', key: event.lane, events: [event] };
}
