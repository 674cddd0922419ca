import { join } from 'node:path';
import { readStep } from '../process/steps.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import { freeAccount } from './prepareLane.ts';
import type { RunContext } from './runContext.ts';

/** Writes down how an agent ended and gives its account back. */
export async function collectAttempt(run: RunContext, laneId: string, folder: string): Promise<void> {
  const { result } = await readStep(join(run.folder, folder));
  await freeAccount(run, laneId);
  await run.append(endedEvent(laneId, run.lane(laneId).attempts.length, result));
}

type Result = Awaited<ReturnType<typeof readStep>>['result'];

function endedEvent(lane: string, attempt: number, result: Result): RunEventBody {
  if (result === undefined) {
    const message =
      'The agent is gone and left no result (its supervisor was killed or the machine restarted).';
    return { type: 'attempt.ended', lane, attempt, outcome: 'lost', exit: null, message };
  }
  const { outcome, exit, message, session_id, usage } = result;
  return {
    type: 'attempt.ended',
    lane,
    attempt,
    outcome,
    exit,
    ...(message !== undefined && { message }),
    ...(session_id !== undefined && { session_id }),
    ...(usage !== undefined && { usage }),
  };
}
