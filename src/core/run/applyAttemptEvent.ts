import { describeRefusal, type Limit } from '../accounts/refusal.ts';
import type { LaneState } from '../lanes/laneState.ts';
import { describeForeign } from './describeForeign.ts';
import { isOutOfTime } from './failOver.ts';
import { withStrays } from './laneWarnings.ts';
import type { LaneEvent } from './runEvent.ts';
import type { AttemptState, Exclusion, LaneRecord } from './runState.ts';

type EventOf<T extends 'attempt.started' | 'attempt.ended'> = Extract<LaneEvent, { type: T }>;

/** An agent begins; how it was to go on and what was decided at a limit has been done. */
export function startAttempt(entered: LaneRecord, event: EventOf<'attempt.started'>): LaneRecord {
  const { next: _used, limited: _over, ...lane } = entered;
  return { ...lane, settled: false, attempts: [...lane.attempts, startedAttempt(event)] };
}

function startedAttempt(event: EventOf<'attempt.started'>): AttemptState {
  return {
    n: event.attempt,
    account: event.account,
    started_at: event.at,
    ended_at: null,
    outcome: 'running',
    exit: null,
    ...(event.next !== undefined && { next: event.next }),
  };
}

/** An agent has ended; `enter` is the lane in another state. */
export function endAttempt(
  enter: (state: LaneState) => LaneRecord,
  event: EventOf<'attempt.ended'>,
): LaneRecord {
  const { outcome, exit, message, session_id, usage, excludes, foreign = [] } = event;
  const next = {
    succeeded: 'verifying',
    failed: 'failed',
    timeout: 'failed',
    stopped: 'interrupted',
    lost: 'interrupted',
  } as const;
  const lane = enter(next[outcome]);
  const attempts = lane.attempts.map((attempt) =>
    attempt.n === event.attempt
      ? {
          ...attempt,
          ended_at: event.at,
          outcome,
          exit,
          ...(message !== undefined && { message }),
          ...(session_id !== undefined && { session_id }),
          ...(usage !== undefined && { usage }),
        }
      : attempt,
  );
  const met = describeRefusal(lane.attempts.find(({ n }) => n === event.attempt)?.account ?? '', event);
  const changed = [...lane.foreign, ...foreign];
  const reasons = [met, message, describeForeign(lane.id, changed)].filter((reason) => reason !== undefined);
  // What has succeeded is judged next, and these with it.
  const shown = outcome === 'succeeded' ? [] : reasons;
  const tried = excludes?.from === 'job' ? [toExclusion(lane.account ?? '', excludes, event.limit)] : [];
  const ended = {
    ...lane,
    attempts,
    reasons: shown,
    failures: withFailure(lane, event),
    tried: [...lane.tried, ...tried],
    foreign: changed,
  };
  return withStrays(ended, `attempt ${event.attempt}`, event.strays);
}

/** Why an account is not given to it any more. */
export function toExclusion(
  account: string,
  { login, message }: NonNullable<EventOf<'attempt.ended'>['excludes']>,
  limit?: Limit,
): Exclusion {
  const { resets_at } = limit ?? {};
  return { account, ...(login && { login }), message, ...(resets_at !== undefined && { resets_at }) };
}

/** A failure of the job: not a limit, an account that could not run, or an end that we or a crash made. */
function withFailure({ failures }: LaneRecord, event: EventOf<'attempt.ended'>): LaneRecord['failures'] {
  if (isOutOfTime(event)) return { ...failures, timeouts: failures.timeouts + 1 };
  const counts = event.outcome === 'failed' && event.excludes === undefined;
  return counts ? { ...failures, failed: failures.failed + 1 } : failures;
}
