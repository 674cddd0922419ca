import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { RunState } from '../../core/run/runState.ts';
import { isInLane, runningRecords } from '../agentRuns/runFolders.ts';
import type { EngineContext } from './runContext.ts';

/**
 * Agents of `ak run` that work in lanes of a run, in words, by the lane.
 * @param folder of the run
 */
export async function guestsIn(
  { environment }: Pick<EngineContext, 'environment'>,
  folder: string,
  { run, lanes }: RunState,
): Promise<Record<string, string>> {
  const running = await runningRecords(environment);
  return Object.fromEntries(
    lanes.flatMap(({ id, job }) => {
      const guest = running.find((each) => isInLane(each, laneAddress({ run, job: job.id }), folder));
      return guest === undefined ? [] : [[id, `An agent of ak run (${guest.id})`]];
    }),
  );
}
