import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Owner } from './owner.ts';

export function startSetup(owner: Owner, lane: string): void {
  owner.append({ type: 'setup.started', lane, setup: laneOf(owner.state, lane).setups + 1 });
}

/** A setup that did not succeed blocks its lane, which gives its account back. */
export function* collectSetup(owner: Owner, lane: string, folder: string): Doing {
  const { setup } = laneOf(owner.state, lane);
  if (setup === undefined) throw new Error(`no setup of lane ${lane} is under way`);
  const outcome = (owner.world.processes.at(folder, { lane }).result ?? 'lost') as 'succeeded' | 'failed';
  if (outcome !== 'succeeded') free(owner, lane);
  yield;
  owner.append({ type: 'setup.ended', lane, setup: setup.n, command: setup.done, outcome });
}
