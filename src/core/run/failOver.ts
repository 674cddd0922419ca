import { describeRefusal, refusesAccount, type Limit, type Refusal } from '../accounts/refusal.ts';
import type { NextAttempt } from './nextAttempt.ts';
import type { RunEventBody } from './runEvent.ts';
import type { LaneRecord, RunState } from './runState.ts';

export type AttemptEnded = Extract<RunEventBody, { type: 'attempt.ended' }>;
type Excludes = NonNullable<AttemptEnded['excludes']>;

/** What an attempt left in its worktree. */
export interface LeftWork {
  /** Nothing is uncommitted. */
  clean: boolean;
  /** Nothing is there that was not there when it began. */
  untouched: boolean;
}

/** What is known of an attempt that has ended besides its result. */
export interface AttemptFacts {
  /** Undefined where that cannot be told. */
  left: LeftWork | undefined;
  /** Whether its conversation can go on under another account, or why not and what would help. */
  mayContinue: true | string;
  /** It was ended because nobody answered it within the plan's `waiting_timeout`. */
  unanswered: boolean;
}

/**
 * Whom an attempt that ended so keeps from what: a limit or too little time its account from this job, a lost login or
 * an unpaid bill from the whole run.
 */
export function exclusionOf(
  account: string,
  end: { limit?: Limit | undefined; refused?: Refusal | undefined; outcome?: AttemptEnded['outcome'] },
): Excludes | undefined {
  const { limit, refused, outcome } = end;
  const message = describeRefusal(account, { limit, refused }) ?? '';
  if (limit !== undefined) return { from: 'job', login: true, message };
  const found = refused && refusesAccount[refused.reason];
  if (found) return { from: 'run', ...found, message: `${message}: ${refused.message}` };
  if (outcome !== 'timeout') return undefined;
  return { from: 'job', login: true, message: `${account} did not get done with it in time` };
}

/**
 * What is written down in one breath when an attempt has ended: its end, with advice where the lane needs a person,
 * and else how the lane goes on by itself (the failover table of design chapter 1).
 */
export function failOver(
  state: Pick<RunState, 'status' | 'plan'>,
  lane: LaneRecord,
  ended: AttemptEnded,
  facts: AttemptFacts,
): RunEventBody[] {
  if (state.status === 'stopping') return [ended];
  const { excludes, outcome } = ended;
  if (outcome === 'stopped') return facts.unanswered ? [ended, setAside(ended)] : [ended];
  if (excludes !== undefined && (outcome === 'lost' || (outcome === 'failed' && excludes.from === 'run')))
    return useAnother(lane, ended, facts, excludes);
  if (outcome === 'succeeded' || outcome === 'lost') return [ended];
  if (excludes?.from === 'job' && !isOutOfTime(ended)) return passLimit(state, lane, ended, facts, excludes);
  return isOutOfTime(ended) ? giveMoreTime(state, lane, ended, facts) : tryAgain(lane, ended, facts);
}

/** Its time was over, and that was not its account's limit. */
export function isOutOfTime({ outcome, limit }: Pick<AttemptEnded, 'outcome' | 'limit'>): boolean {
  return outcome === 'timeout' && limit === undefined;
}

/** Rescued where it stands, and then blocked. */
function setAside({ lane, message }: AttemptEnded): RunEventBody {
  return { type: 'lane.closing', lane, why: 'blocked', ...(message !== undefined && { message }) };
}

/**
 * The account cannot run: another is picked, which is told what is there when something is. What never began under it
 * takes nothing from a conversation that was to go on.
 */
function useAnother(
  lane: LaneRecord,
  ended: AttemptEnded,
  { left }: AttemptFacts,
  { message }: Excludes,
): RunEventBody[] {
  const stays = whyStays(lane, ended);
  if (stays !== undefined) return [advised(ended, stays)];
  const before = lane.attempts.at(-1)?.next;
  const goesOn = ended.outcome === 'lost' && before?.how === 'continue' ? before : goOn(lane, left);
  return [ended, queued(ended, message, goesOn)];
}

function passLimit(
  { plan }: Pick<RunState, 'plan'>,
  lane: LaneRecord,
  ended: AttemptEnded,
  { left, mayContinue }: AttemptFacts,
  { message }: Excludes,
): RunEventBody[] {
  const continues = plan.on_limit === 'continue';
  const why = ended.session_id === undefined ? noSession : mayContinue;
  const next: NextAttempt | undefined =
    plan.on_limit === 'handover'
      ? { how: 'handover' }
      : continues && why === true && ended.session_id !== undefined
        ? { how: 'continue', kind: kindOf(lane), session: ended.session_id, from: lane.account ?? '' }
        : undefined;
  const stuck =
    continues && why !== true ? `Its conversation cannot go on under another account: ${why}` : '';
  if (mayWriteOn(ended)) {
    if (plan.on_limit === 'restart' && !isTold(lane)) return [ended, beginAnew(ended, message)];
    return [advised(ended, strays)];
  }
  if (left?.untouched === true && !isTold(lane))
    return [ended, queued(ended, message, next?.how === 'continue' ? next : goOn(lane, left))];
  if (left?.clean === true && !left.untouched) {
    const told = stuck === '' ? message : `${message}. ${stuck}`;
    // What was told would be lost to another conversation, and a new beginning is not what `continue` asks for.
    const limited = next?.how === 'continue' || (stuck === '' && !isTold(lane));
    return [ended, verifying(ended, told, limited, next)];
  }
  if (next?.how === 'continue') return [ended, queued(ended, message, next)];
  if (stuck !== '') return [advised(ended, stuck)];
  if (isTold(lane)) return [advised(ended, told)];
  return [ended, next ? queued(ended, message, next) : beginAnew(ended, message)];
}

/** Once more, under another account; a job that is too long for two is too long. */
function giveMoreTime(
  { plan }: Pick<RunState, 'plan'>,
  lane: LaneRecord,
  ended: AttemptEnded,
  { left }: AttemptFacts,
): RunEventBody[] {
  const { timeouts, failed } = lane.failures;
  if (timeouts > 0) return [advised(ended, 'It ran out of time twice: split the job, or give it more time.')];
  if (timeouts + failed + 1 >= (lane.job.max_attempts ?? Infinity)) return [advised(ended, spent(lane))];
  const message = ended.excludes?.message ?? '';
  const restarts = plan.on_limit === 'restart' && left?.untouched !== true;
  if (restarts && !isTold(lane)) return [ended, beginAnew(ended, message)];
  const stays = whyStays(lane, ended);
  return stays === undefined ? [ended, queued(ended, message, goOn(lane, left))] : [advised(ended, stays)];
}

/** A failure of the job: tried again only as often as its plan says. */
function tryAgain(lane: LaneRecord, ended: AttemptEnded, { left }: AttemptFacts): RunEventBody[] {
  const { max_attempts } = lane.job;
  if (max_attempts === undefined) return [ended];
  const count = lane.failures.failed + lane.failures.timeouts + 1;
  if (count >= max_attempts) return [advised(ended, spent(lane))];
  const stays = whyStays(lane, ended);
  if (stays !== undefined) return [advised(ended, stays)];
  return [ended, queued(ended, `attempt ${ended.attempt} failed; it is tried again`, goOn(lane, left))];
}

const noSession = 'its agent told of no session; retry the lane, or plan it with on_limit: handover';
const strays = 'Processes that it left may still write into its worktree: end them, then retry the lane.';
const told = 'What it was told is not done: tell it again once its account can be used.';

/** Why nobody else can take over where it stands. */
function whyStays(lane: LaneRecord, ended: AttemptEnded): string | undefined {
  return mayWriteOn(ended) ? strays : isTold(lane) ? told : undefined;
}

function mayWriteOn({ strays: left = [] }: AttemptEnded): boolean {
  return left.length > 0;
}

/** It went on with what a person said, which belongs to one conversation. */
function isTold({ attempts }: LaneRecord): boolean {
  return attempts.at(-1)?.next?.how === 'tell';
}

function spent({ failures, job }: LaneRecord): string {
  const count = failures.failed + failures.timeouts + 1;
  const times = count === 1 ? 'once' : `${count} times`;
  return `It has failed ${times}, which is all that max_attempts: ${job.max_attempts ?? 1} allows; look at it, then retry the lane.`;
}

/** Who finds something is told of it; who finds nothing goes on as the one before was to. */
function goOn({ attempts }: LaneRecord, left: LeftWork | undefined): NextAttempt | undefined {
  if (left?.untouched !== true) return { how: 'handover' };
  const before = attempts.at(-1)?.next;
  return before?.how === 'tell' ? undefined : before;
}

function kindOf({ account = '' }: LaneRecord): string {
  return account.slice(0, account.indexOf('/'));
}

function advised(ended: AttemptEnded, advice: string): AttemptEnded {
  const said = ended.message === undefined ? [] : [ended.message.replace(/[.\s]*$/, '.')];
  return { ...ended, message: [...said, advice].join(' ') };
}

function queued({ lane }: AttemptEnded, message: string, next: NextAttempt | undefined): RunEventBody {
  return { type: 'lane.reopened', lane, to: 'queued', message, ...(next && { next }) };
}

function beginAnew({ lane }: AttemptEnded, message: string): RunEventBody {
  return { type: 'lane.reopened', lane, to: 'queued', message, anew: true };
}

function verifying(
  { lane }: AttemptEnded,
  message: string,
  limited: boolean,
  next: NextAttempt | undefined,
): RunEventBody {
  const then = limited && { limited: true as const, ...(next && { next }) };
  return { type: 'lane.reopened', lane, to: 'verifying', message, ...then };
}
