import { realpath, stat } from 'node:fs/promises';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneState } from '../../core/lanes/laneState.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { openRepository } from '../git/openRepository.ts';
import { readStep } from '../process/steps.ts';
import { LaneFinder } from '../runs/laneFinder.ts';
import { RunReader } from '../runs/runReader.ts';

/** Where an agent works. */
export interface RunPlace {
  /** Without links. */
  cwd: string;
  /** The lane whose worktree it is. */
  lane?: { run: string; lane: string; address: string; /** Of its run. */ folder: string };
}

/** States in which a lane rests: nothing of it runs, and nothing is about to. */
const atRest: readonly LaneState[] = ['open', 'passed', 'failed', 'ready', 'interrupted', 'blocked'];

/** @throws AgentKitError `not_found` for what is no folder */
export async function folderPlace(folder: string): Promise<RunPlace> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new AgentKitError('not_found', `There is no folder ${folder} for the agent to work in`);
  }
  return { cwd: await realpath(folder) };
}

/**
 * The worktree of a lane at rest.
 * @throws AgentKitError `not_found`; `conflict` while the lane has a live agent, or will have one by itself
 */
export async function lanePlace(folder: string, name: string): Promise<RunPlace> {
  const { commonDir } = await openRepository(folder);
  const finder = new LaneFinder(commonDir, new RunReader());
  const { view, folder: runFolder } = await finder.find(name);
  const { path, state, run, lane, job } = view;
  if (path === null || state === 'merged' || state === 'dropped') {
    throw new AgentKitError('not_found', `Lane ${lane} is ${state} and has no worktree to work in`);
  }
  const attempt = view.attempts.length > 0 ? await readStep(await finder.newestAttempt(name)) : null;
  const isLive = attempt?.state === 'running' || attempt?.state === 'starting';
  if (isLive || !atRest.includes(state)) {
    const what = isLive ? 'has a live agent' : `is ${state}`;
    throw new AgentKitError('conflict', `Lane ${lane} ${what}; stop it first: ak lane stop ${lane}`);
  }
  const address = laneAddress({ run, job });
  return { ...(await folderPlace(path)), lane: { run, lane, address, folder: runFolder } };
}
