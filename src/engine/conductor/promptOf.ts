import { join } from 'node:path';
import { continuePrompt } from '../../core/run/continuePrompt.ts';
import { framePrompt } from '../../core/run/framePrompt.ts';
import { handoverPrompt, type LeftBehind } from '../../core/run/handoverPrompt.ts';
import { gateOf } from '../../core/run/ownSettings.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import { tellPrompt } from '../../core/run/tellPrompt.ts';
import { gitText } from '../git/plumbing.ts';
import { laneChanges } from '../git/laneChanges.ts';
import { laneFacts } from '../git/laneFacts.ts';
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
    case 'handover':
      return handoverPrompt(lane.job, plan, await leftBehind(run, lane));
    case undefined:
      return framePrompt(lane.job, plan);
  }
}

/** What the agent before has left in the lane. */
async function leftBehind(run: RunContext, record: LaneRecord): Promise<LeftBehind> {
  const lane = made(record);
  const { path, base } = lane;
  const { head, dirty } = await laneFacts(lane);
  const before = lane.attempts.at(-2);
  const step = before && (await readStep(join(run.folder, attemptFolder(lane.id, before.n))));
  const log = await gitText(path, ['log', '--reverse', '--format=%h %s', `${base}..${head}`, '--']);
  const { paths } = await laneChanges({ path, base, head });
  const changed = new Set([...paths, ...dirty.filter((file) => !isPlaced(lane, file))]);
  return {
    account: before?.account ?? '',
    reason: lane.warnings.at(-1) ?? before?.message ?? before?.outcome ?? '',
    commits: log.split('\n').filter((line) => line !== ''),
    changed: [...changed].sort(),
    said: step?.result?.result_text ?? '',
  };
}
