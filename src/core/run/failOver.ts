import { describeRefusal, refusesAccount, type Limit, type Refusal } from '../accounts/refusal.ts';
import type { RunEventBody } from './runEvent.ts';
import type { LaneRecord, RunState } from './runState.ts';

type AttemptEnded = Extract<RunEventBody, { type: 'attempt.ended' }>;
type Excludes = NonNullable<AttemptEnded['excludes']>;

/** What an attempt left in its worktree. */
export interface LeftWork {
  /** Nothing is uncommitted. */
  clean: boolean;
  /** Nothing is there that was not there when it began. */
  untouched: boolean;
}

/** Whom what an account ran into keeps from it: a limit this job, a lost login or an unpaid bill the whole run. */
export function exclusionOf(
  account: string,
  { limit, refused }: { limit?: Limit | undefined; refused?: Refusal | undefined },
): Excludes | undefined {
  const message = describeRefusal(account, { limit, refused }) ?? '';
  if (limit !== undefined) return { from: 'job', login: true, message };
  const found = refused && refusesAccount[refused.reason];
  return found && { from: 'run', ...found, message: `${message}: ${refused.message}` };
}

/**
 * How a lane goes on whose attempt failed for its account's sake, which is no failure of its job: with another account,
 * after a limit only where nothing of the work would be lost by that; else what was committed goes to its gate first.
 * Empty: it stays failed, for a person to look at.
 */
export function failOver(
  { status }: Pick<RunState, 'status'>,
  { id }: Pick<LaneRecord, 'id'>,
  { excludes, outcome, strays = [] }: AttemptEnded,
  left: LeftWork | undefined,
): RunEventBody[] {
  // What left the tree of the attempt may still write there.
  if (excludes === undefined || outcome !== 'failed' || status === 'stopping' || strays.length > 0) return [];
  const again = (to: 'queued' | 'verifying'): RunEventBody[] => [
    { type: 'lane.reopened', lane: id, to, message: excludes.message },
  ];
  if (excludes.from === 'run' || left?.untouched === true) return again('queued');
  return left?.clean === true ? again('verifying') : [];
}
