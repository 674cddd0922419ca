import { laneAddress } from '../../core/lanes/laneAddress.ts';
import { isInLane, runningRecords } from '../agentRuns/runFolders.ts';
import { readStep, requestStop } from '../process/steps.ts';
import type { CareSources } from './createLaneCare.ts';

/** Asks the agent of `ak run` that works in a lane to stop, as Ctrl+C does there. Null when there is none to ask. */
export async function stopGuest({ finder, engine }: CareSources, lane: string): Promise<string | null> {
  const { folder, state, record } = await finder.find(lane);
  const address = laneAddress({ run: state.run, job: record.job.id });
  const running = await runningRecords(engine.environment);
  const guest = running.find((each) => isInLane(each, address, folder));
  if (guest === undefined) return null;
  const step = await readStep(guest.folder);
  if (step.state !== 'starting' && step.state !== 'running') return null;
  await requestStop(guest.folder);
  return `The agent of ak run (${guest.id}) in lane ${record.id} is being stopped.`;
}
