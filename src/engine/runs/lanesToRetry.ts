import { join } from 'node:path';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { readStep } from '../process/steps.ts';

/** Lanes that are interrupted, or will be found so: their agent's supervisor died without a result. */
export async function lanesToRetry(folder: string, { lanes, plan }: RunState): Promise<string[]> {
  const found = await Promise.all(
    lanes.map(async (lane) =>
      lane.state === 'interrupted' || (await isLost(folder, lane, plan)) ? [lane.id] : [],
    ),
  );
  return found.flat();
}

async function isLost(folder: string, lane: LaneRecord, plan: RunState['plan']): Promise<boolean> {
  const step = lane.state === 'running' || lane.state === 'waiting' ? pendingStep(lane, plan) : undefined;
  if (step === undefined) return false;
  const { state, claimed } = await readStep(join(folder, step));
  return state === 'lost' && claimed;
}
