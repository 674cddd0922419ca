import { join } from 'node:path';
import { planResume } from '../../core/run/planResume.ts';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { readStep } from '../process/steps.ts';

/** What is asked of a run's owner, stage by stage, for the lanes that were broken off or will be found so. */
export async function resumeStages(folder: string, state: RunState) {
  return planResume(state, await lanesOfLostSteps(folder, state));
}

/** Lanes that wait for a process whose supervisor had begun and died without a result. */
async function lanesOfLostSteps(folder: string, { lanes, plan }: RunState): Promise<Set<string>> {
  const found = await Promise.all(
    lanes.map(async (lane) => {
      const step = pendingStep(lane, plan);
      if (step === undefined) return [];
      const { state, claimed } = await readStep(join(folder, step));
      return state === 'lost' && claimed ? [lane.id] : [];
    }),
  );
  return new Set(found.flat());
}
