import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { worktreeOf } from '../../core/run/ownSettings.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import { teardownFolder } from '../../core/run/stepFolders.ts';
import { readStep, startStep } from '../process/steps.ts';
import { setupFailure } from '../setup/setupFailure.ts';
import { collectStep } from './collectStep.ts';
import type { RunContext } from './runContext.ts';
import { commandLaunch } from './setupActions.ts';

/** How often it is looked whether a command has ended, in milliseconds. */
const look = 100;

export interface TornDown {
  /** Whether any of it ran now. */
  ran: boolean;
  /** Commands that did not succeed, which keeps no lane. */
  warnings: string[];
  /** What a command left running, which does. */
  refused: string[];
}

/**
 * Runs the teardown of a lane whose folder is there, each command once whoever closes it; those that did not succeed are
 * told. `later` when this owner was told to let go: what runs is taken on by the next.
 */
export async function tearDown(
  run: RunContext,
  laneId: string,
  place: Worktree,
): Promise<TornDown | 'later'> {
  const lane = run.lane(laneId);
  const settings = worktreeOf(run.state(), lane);
  const end: TornDown = { ran: false, warnings: [], refused: [] };
  // What was never set up has nothing to be torn down.
  if (settings === undefined || lane.worktree === undefined || !existsSync(place.path)) return end;
  for (const [index, command] of settings.teardown.entries()) {
    const folder = join(run.folder, teardownFolder(laneId, place.nonce, index));
    const before = await readStep(folder);
    if (before.state === 'absent' || (before.state === 'lost' && !before.claimed)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const launch = await commandLaunch(run, lane, 'teardown', index);
      const { node, dist, environment } = run;
      await startStep({ folder, launch, node, dist, environment });
    }
    end.ran ||= before.state !== 'ended';
    if (!(await hasEnded(run, folder))) return 'later';
    const { result, strays } = await collectStep(folder);
    const failure =
      result === undefined
        ? `teardown \`${command}\` left no result`
        : await setupFailure(folder, { role: 'teardown', command }, result, settings.setup_timeout);
    if (failure !== undefined) end.warnings.push(failure);
    if (before.state !== 'ended' && strays.length > 0)
      end.refused.push(`teardown \`${command}\` left processes running: ${strays.join(', ')}; end them.`);
  }
  return end;
}

async function hasEnded(run: RunContext, folder: string): Promise<boolean> {
  for (;;) {
    const { state } = await readStep(folder);
    if (state === 'ended' || state === 'lost') return true;
    if (run.isClosed()) return false;
    await pause(look);
  }
}
