import type { Facts } from '../../../../../src/core/run/facts.ts';
import type { RunState } from '../../../../../src/core/run/runState.ts';
import { pendingStep } from '../../../../../src/core/run/stepFolders.ts';
import type { World } from './world.ts';

/** Mirrors engine/conductor/gatherFacts: one fact is read after the other while the world goes on. */
export function* gather(world: World, state: RunState, startNew: boolean): Generator<undefined, Facts> {
  const requests = world.requests.filter(({ id }) => !(id in state.answers));
  const merging = requests.some(({ do: what }) => what === 'merge') || state.lanes.some(isMerging);
  if (world.mergeLock !== 'foreign') world.mergeLock = merging ? 'ours' : 'free';
  const mayMerge = merging && world.mergeLock === 'ours';
  yield;
  const folders = state.lanes.flatMap((lane) => pendingStep(lane, state.plan) ?? []);
  const steps = Object.fromEntries(folders.map((folder) => [folder, world.processes.fact(folder)]));
  yield;
  const choosing = startNew && state.lanes.some((lane) => lane.state === 'queued');
  const accounts = choosing
    ? world.accounts.map((each) => ({ ...each, busy: world.isHeld(each.account) }))
    : [];
  yield;
  return { accounts, steps, requests, mayMerge, startNew, now: world.now };
}

function isMerging({ state }: { state: string }): boolean {
  return state === 'merging';
}
