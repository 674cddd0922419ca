import { join } from 'node:path';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { readStep } from '../process/steps.ts';
import { runsFolder } from '../store/runFolder.ts';
import type { EngineContext } from './runContext.ts';

/**
 * Whether a merge into the same target that the dead owner of another run left still has its setup or a check at work.
 * The lock went with the owner, but the worktree is in use for as long as that supervisor lives.
 */
export async function mergesLeftRunning(
  { allRuns, repository }: Pick<EngineContext, 'allRuns' | 'repository'>,
  { run, target }: RunState,
): Promise<boolean> {
  const others = (await allRuns()).filter((each) => each.run !== run && each.target.ref === target.ref);
  for (const { run: other, lanes, plan } of others) {
    for (const lane of lanes.filter(({ state }) => state === 'merging')) {
      const step = pendingStep(lane, plan);
      if (step === undefined) continue;
      const { state } = await readStep(join(runsFolder(repository.commonDir), other, step));
      if (state === 'starting' || state === 'running') return true;
    }
  }
  return false;
}
