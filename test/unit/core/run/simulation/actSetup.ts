import { setupOf } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';

export function startSetup(owner: Owner, lane: string): void {
  owner.append({ type: 'setup.started', lane, setup: laneOf(owner.state, lane).setups + 1 });
}

/** A setup that did not succeed blocks its lane, which gives its account back, or its merge. */
export function* collectSetup(owner: Owner, lane: string, folder: string): Doing {
  const record = laneOf(owner.state, lane);
  const setup = setupOf(record);
  if (setup === undefined) throw new Error(`no setup of lane ${lane} is under way`);
  const outcome = (owner.world.processes.at(folder, { lane }).result ?? 'lost') as 'succeeded' | 'failed';
  if (outcome !== 'succeeded' && record.state === 'preparing') free(owner, lane);
  yield;
  const message = owner.world.scenario.text;
  owner.append({ type: 'setup.ended', lane, setup: setup.n, command: setup.done, outcome, message });
}

/** Makes the lane's branch and worktree, or finds them made: after a crash half of it may be there. */
export function* createLane(owner: Owner, id: string): Doing {
  const { world } = owner;
  const { attempts, intended } = laneOf(owner.state, id);
  if (intended === undefined) throw new Error(`lane ${id} was not assigned`);
  if (!goesWell(world.scenario, 'create', `${id} ${attempts.length}`)) {
    free(owner, id);
    yield;
    return owner.append({ type: 'lane.blocked', lane: id, message: world.scenario.text });
  }
  const { path, branch, base, nonce } = intended;
  if (world.git.worktrees.get(path)?.nonce !== nonce) world.git.addWorktree(path, branch, base, nonce);
  yield;
  owner.append({ type: 'lane.created', lane: id, warnings: [] });
}
