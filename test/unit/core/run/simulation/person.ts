import { planResume } from '../../../../../src/core/run/planResume.ts';
import type { RequestBody } from '../../../../../src/core/run/request.ts';
import type { LaneRecord, RunState } from '../../../../../src/core/run/runState.ts';
import { fateOf } from './dice.ts';
import { addLaneOf } from './nature.ts';
import { byHand } from './scenario.ts';
import type { World } from './world.ts';

/**
 * What a patient person asks for when a run is at rest, one thing at a time: go on with what broke off, merge what is ready, try what failed
 * once more, clean up. The same for the same state of the lanes, whatever the way there.
 */
export function nextWish(world: World, state: RunState): RequestBody | undefined {
  const { lanes, standing } = state;
  const missing = standing ? byHand.find((id) => lanes.every((lane) => lane.id !== id)) : undefined;
  if (missing !== undefined) return addLaneOf(world, missing);
  const goOn = planResume(state)
    .flat()
    .find((wish) => !hasAsked(world, wish));
  if (goOn !== undefined) return goOn;
  for (const lane of lanes) {
    const wish = wishFor(world, lane);
    if (wish !== undefined && !hasAsked(world, wish)) return wish;
  }
  return undefined;
}

function wishFor(world: World, lane: LaneRecord): RequestBody | undefined {
  const { id, state, merge, blockedAfter, worktree } = lane;
  if (state === 'ready' && merge?.status !== 'refused') return { do: 'merge', lane: id };
  if (state === 'merged' && worktree !== undefined) return { do: 'remove', lane: id };
  if (state === 'open') return { do: 'gate', lane: id };
  if (!['failed', 'interrupted', 'blocked'].includes(state) || blockedAfter !== undefined) return undefined;
  const retry = { do: 'retry', lane: id } as const;
  if (!hasAsked(world, retry)) return retry;
  return fateOf(world.scenario.seed, `discard ${id}`).chance(0.5) ? { do: 'discard', lane: id } : undefined;
}

/** A merge is asked for as often as it takes; everything else once a lane. */
function hasAsked({ requests, calmSince }: World, wish: RequestBody): boolean {
  if (wish.do === 'merge' || wish.do === 'stopRun') return false;
  return requests
    .slice(calmSince)
    .some((each) => each.do === wish.do && 'lane' in each && each.lane === wish.lane);
}
