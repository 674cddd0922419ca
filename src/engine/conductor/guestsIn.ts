import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { RunState } from '../../core/run/runState.ts';
import { runningRecords } from '../agentRuns/runFolders.ts';
import type { EngineContext } from './runContext.ts';

/** Agents of `ak run` that work in lanes of the run, in words, by the lane. */
export async function guestsIn(
  { environment }: Pick<EngineContext, 'environment'>,
  { run, lanes }: RunState,
): Promise<Record<string, string>> {
  const running = await runningRecords(environment);
  return Object.fromEntries(
    lanes.flatMap(({ id, job }) => {
      const guest = running.find(({ lane }) => lane === laneAddress({ run, job: job.id }));
      return guest === undefined ? [] : [[id, `An agent of ak run (${guest.id})`]];
    }),
  );
}
