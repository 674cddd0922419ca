import { join } from 'node:path';
import { planResume } from '../../core/run/planResume.ts';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import type { Resumed, StartOptions } from '../agentKitTypes.ts';
import { readStep } from '../process/steps.ts';
import { oneAtATime } from '../store/oneAtATime.ts';
import { readRequests } from '../store/requests.ts';
import { goneLanes } from './goneLanes.ts';
import type { RunKeeper } from './runKeeper.ts';
import { runIdOf, type RunReader } from './runReader.ts';

/**
 * Takes a run over, if this process does not own it already. `retry` goes on with what was broken off in it; a stop
 * that its last owner did not finish comes to its end before. @throws AgentKitError `conflict` when it has a live owner
 */
export function resumeRun(
  { keeper, reader }: { keeper: RunKeeper; reader: RunReader },
  folder: string,
  { ask = false, retry = false }: StartOptions & { retry?: boolean } = {},
): Promise<Resumed> {
  return oneAtATime(`resume ${folder}`, async () => {
    if (retry && (await isToStop(folder, await reader.state(folder))))
      await (
        await keeper.keepForGood(folder, ask)
      ).atRest;
    const wishes = retry ? await whatWasBrokenOff(folder, await reader.state(folder)) : [];
    const kept = await keeper.keepForGood(folder, ask);
    const run = runIdOf(folder);
    if (wishes.length === 0) return { run, atRest: kept.atRest, refused: [] };
    const answers = await Promise.all(wishes.map((body) => keeper.request(folder, body)));
    const refused = answers.flatMap(({ ok, message }) => (ok ? [] : [message]));
    // Its conductor may have been at rest before it saw them, and is followed by another then.
    return { run, atRest: (await keeper.keepForGood(folder)).atRest, refused };
  });
}

async function isToStop(folder: string, { status, answers }: RunState): Promise<boolean> {
  if (status === 'stopping') return true;
  return (await readRequests(folder, answers)).some((request) => request.do === 'stopRun');
}

async function whatWasBrokenOff(folder: string, state: RunState) {
  const [broken, gone] = await Promise.all([brokenLanes(folder, state), goneLanes(state)]);
  return planResume(state, { broken, gone });
}

/** Lanes that wait for a process whose supervisor died, or was ended, after it had begun: not what came to an end of its own. */
async function brokenLanes(folder: string, { lanes, plan }: RunState): Promise<Set<string>> {
  const found = await Promise.all(
    lanes.map(async (lane) => {
      const step = pendingStep(lane, plan);
      // A merge is asked for again.
      if (step === undefined || lane.state === 'merging') return [];
      const { state, claimed, result } = await readStep(join(folder, step));
      const isLost = state === 'lost' && claimed;
      return isLost || result?.outcome === 'stopped' ? [lane.id] : [];
    }),
  );
  return new Set(found.flat());
}
