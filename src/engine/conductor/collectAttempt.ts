import { join } from 'node:path';
import { exclusionOf, failOver } from '../../core/run/failOver.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import type { StepResult } from '../process/launch.ts';
import { recordRun } from '../accounts/recordRun.ts';
import { collectStep } from './collectStep.ts';
import { leftWork } from './leftWork.ts';
import { mayGoOnElsewhere } from './mayGoOnElsewhere.ts';
import { foreignSince } from './foreign.ts';
import { freeAccount } from './holdAccount.ts';
import type { RunContext } from './runContext.ts';

type AttemptEnded = Extract<RunEventBody, { type: 'attempt.ended' }>;

/**
 * Writes down how an agent ended and gives its account back; in one breath how the lane goes on, where it does so by
 * itself. What a killed supervisor left is ended first.
 */
export async function collectAttempt(run: RunContext, laneId: string, folder: string): Promise<void> {
  const { result, strays } = await collectStep(join(run.folder, folder));
  const { account, job } = run.lane(laneId);
  // Before the account is free: whoever picks next is to know of its limit.
  if (result !== undefined && account !== undefined)
    await recordRun(run.environment, account, { ...result, model: job.model });
  const lane = run.lane(laneId);
  const foreign = await foreignSince(run, lane, join(run.folder, folder));
  const excludes = exclusionOf(account ?? '', result ?? {});
  const ended = {
    ...endedEvent(laneId, lane.attempts.length, result),
    ...(excludes !== undefined && { excludes }),
    ...(strays.length > 0 && { strays }),
    ...(foreign.length > 0 && { foreign }),
  };
  const { outcome } = ended;
  const mayFailOver = outcome === 'failed' || outcome === 'timeout';
  const left = mayFailOver ? await leftWork(lane) : undefined;
  const unanswered = result?.unanswered === true;
  const continues = mayFailOver ? await mayGoOnElsewhere(run, lane, ended.session_id) : 'its agent has ended';
  await freeAccount(run, laneId);
  await run.append(...failOver(run.state(), lane, ended, { left, mayContinue: continues, unanswered }));
}

function endedEvent(lane: string, attempt: number, result: StepResult | undefined): AttemptEnded {
  if (result === undefined) {
    const message = 'The agent left no result: its supervisor was killed or the machine restarted.';
    return { type: 'attempt.ended', lane, attempt, outcome: 'lost', exit: null, message };
  }
  const { outcome, exit, message, session_id, usage, limit, refused } = result;
  return {
    type: 'attempt.ended',
    lane,
    attempt,
    outcome,
    exit,
    ...(message !== undefined && { message }),
    ...(session_id !== undefined && { session_id }),
    ...(usage !== undefined && { usage }),
    ...(limit !== undefined && { limit }),
    ...(refused !== undefined && { refused }),
  };
}
