import { join } from 'node:path';
import type { WorktreeSettings } from '../../core/plan/worktreeSettings.ts';
import { worktreeOf } from '../../core/run/ownSettings.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { setupOf } from '../../core/run/stepFolders.ts';
import type { Launch } from '../process/launch.ts';
import { setupFailure } from '../setup/setupFailure.ts';
import { setupLaunch } from '../setup/setupLaunch.ts';
import { collectStep } from './collectStep.ts';
import { deniedBy } from './deniedBy.ts';
import { freeAccount } from './holdAccount.ts';
import { laneMarks } from './laneMarks.ts';
import type { RunContext } from './runContext.ts';
import { stepPlace } from './stepPlace.ts';

export async function startSetup(run: RunContext, laneId: string): Promise<void> {
  await run.append({ type: 'setup.started', lane: laneId, setup: run.lane(laneId).setups + 1 });
}

/**
 * Reads how a command of the setup ended. One that did not succeed blocks the lane, or its merge, with the last of what it
 * printed.
 */
export async function collectSetup(run: RunContext, laneId: string, folder: string): Promise<void> {
  const lane = run.lane(laneId);
  const setup = setupOf(lane);
  if (setup === undefined) throw new Error(`No setup of lane ${laneId} is under way`);
  const step = join(run.folder, folder);
  const { result, strays } = await collectStep(step);
  const command = commandAt(run, lane, 'setup', setup.done);
  const message =
    result === undefined
      ? `setup \`${command}\` left no result: its supervisor was killed or the machine restarted`
      : await setupFailure(step, { role: 'setup', command }, result, settingsOf(run, lane).setup_timeout);
  if (message !== undefined && lane.state === 'preparing') await freeAccount(run, laneId);
  await run.append({
    type: 'setup.ended',
    lane: laneId,
    setup: setup.n,
    command: setup.done,
    outcome: result?.outcome ?? 'lost',
    ...(message !== undefined && { message: message }),
    ...(strays.length > 0 && { strays }),
  });
}

/** How one command of a lane's setup or teardown is started, or of the setup of its merged tree. */
export async function commandLaunch(
  run: RunContext,
  lane: LaneRecord,
  role: 'setup' | 'teardown',
  index: number,
): Promise<Launch> {
  const { path: cwd, ports } = stepPlace(run, lane);
  return setupLaunch({
    role,
    command: commandAt(run, lane, role, index),
    cwd,
    ports,
    marks: laneMarks(run, lane),
    environment: run.environment,
    deny: await deniedBy(run),
    timeoutS: settingsOf(run, lane).setup_timeout,
  });
}

function commandAt(run: RunContext, lane: LaneRecord, role: 'setup' | 'teardown', index: number): string {
  const command = settingsOf(run, lane)[role][index];
  if (command === undefined) throw new Error(`The ${role} of lane ${lane.id} has no command ${index}`);
  return command;
}

function settingsOf(run: RunContext, lane: LaneRecord): WorktreeSettings {
  const settings = worktreeOf(run.state(), lane);
  if (settings === undefined) throw new Error(`Lane ${lane.id} has no settings of its worktree`);
  return settings;
}
