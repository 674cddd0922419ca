import type { RequestBody } from '../../../../../src/core/run/request.ts';
import type { RunState } from '../../../../../src/core/run/runState.ts';
import type { World } from './world.ts';

/**
 * What a patient person asks for when a run is at rest, one thing at a time: merge what is ready, try what failed
 * once more. The same for the same state of the lanes, whatever the way there.
 */
export function nextWish(world: World, { lanes }: RunState): RequestBody | undefined {
  const ready = lanes.find(({ state, merge }) => state === 'ready' && merge?.status !== 'refused');
  if (ready !== undefined) return { do: 'merge', lane: ready.id };
  const asked = (lane: string) =>
    world.requests.some((request) => request.do === 'retry' && request.lane === lane);
  const broken = lanes.find(
    ({ id, state, blockedAfter }) =>
      ['failed', 'interrupted', 'blocked'].includes(state) && blockedAfter === undefined && !asked(id),
  );
  return broken && { do: 'retry', lane: broken.id };
}
