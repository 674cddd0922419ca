import { join } from 'node:path';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { endLostStep } from '../process/endLostStep.ts';
import { readStep } from '../process/steps.ts';
import { runsFolder } from '../store/runFolder.ts';
import type { EngineContext } from './runContext.ts';

/**
 * Whether the worktree of a target is free of merges that dead owners of other runs left; only for whoever holds the
 * lock, which went with the owner. A setup or check that still has its supervisor is waited for. What one without left
 * running is ended, as whoever resumes its run would: it would go on writing into the tree that is judged.
 */
export async function clearMergeTree(
  { allRuns, repository }: Pick<EngineContext, 'allRuns' | 'repository'>,
  { run, target }: RunState,
): Promise<boolean> {
  const others = (await allRuns()).filter((each) => each.run !== run && each.target.ref === target.ref);
  for (const { run: other, lanes, plan } of others) {
    for (const lane of lanes.filter(({ state }) => state === 'merging')) {
      const step = pendingStep(lane, plan);
      if (step === undefined) continue;
      const folder = join(runsFolder(repository.commonDir), other, step);
      const { state, claimed } = await readStep(folder);
      if (state === 'starting' || state === 'running') return false;
      if (state === 'lost' && claimed) await endLostStep(folder);
    }
  }
  return true;
}
