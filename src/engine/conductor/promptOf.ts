import { join } from 'node:path';
import { continuePrompt } from '../../core/run/continuePrompt.ts';
import { framePrompt } from '../../core/run/framePrompt.ts';
import { handoverPrompt, type LeftBehind } from '../../core/run/handoverPrompt.ts';
import { gateOf } from '../../core/run/ownSettings.ts';
import type { AttemptState, LaneRecord } from '../../core/run/runState.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import { tellPrompt } from '../../core/run/tellPrompt.ts';
import { gitText } from '../git/plumbing.ts';
import { laneChanges } from '../git/laneChanges.ts';
import { laneFacts } from '../git/laneFacts.ts';
import type { StepResult } from '../process/launch.ts';
import { readStep } from '../process/steps.ts';
import { isPlaced } from './leftovers.ts';
import type { RunContext } from './runContext.ts';
import { made } from './settleLane.ts';

/** What the agent of the lane's newest attempt is told. */
export async function promptOf(run: RunContext, lane: LaneRecord): Promise<string> {
  const plan = { ...run.state().plan, gate: gateOf(run.state(), lane) };
  const next = lane.attempts.at(-1)?.next;
  switch (next?.how) {
    case 'continue':
      return continuePrompt(lane.job, plan);
    case 'tell':
      return tellPrompt(next.text, lane.job, plan);
    case 'handover': {
      const left = await leftBehind(run, lane);
      const isFresh = left.commits.length === 0 && left.changed.length === 0;
      return isFresh ? framePrompt(lane.job, plan) : handoverPrompt(lane.job, plan, left);
    }
    case undefined:
      return framePrompt(lane.job, plan);
  }
}

/** What the agent before has left in the lane. */
async function leftBehind(run: RunContext, record: LaneRecord): Promise<LeftBehind> {
  const lane = made(record);
  const { path, base } = lane;
  const { head, dirty } = await laneFacts(lane);
  const { attempt: before, result } = await lastAtWork(run, lane);
  const log = await gitText(path, ['log', '--reverse', '--format=%h %s', `${base}..${head}`, '--']);
  const { paths } = await laneChanges({ path, base, head });
  const changed = new Set([...paths, ...dirty.filter((file) => !isPlaced(lane, file))]);
  return {
    account: before?.account ?? '',
    reason: lane.warnings.at(-1) ?? before?.message ?? before?.outcome ?? '',
    commits: log.split('\n').filter((line) => line !== ''),
    changed: [...changed].sort(),
    said: result?.result_text ?? '',
  };
}

/** The newest attempt before this one that had begun, else the newest: one that never did has left nothing. */
async function lastAtWork(
  run: RunContext,
  { id, attempts }: LaneRecord,
): Promise<{ attempt?: AttemptState | undefined; result?: StepResult }> {
  const earlier = attempts.slice(0, -1);
  for (const attempt of earlier.toReversed()) {
    const { result, claimed } = await readStep(join(run.folder, attemptFolder(id, attempt.n)));
    if (result !== undefined) return { attempt, result };
    if (claimed) return { attempt };
  }
  return { attempt: earlier.at(-1) };
}
