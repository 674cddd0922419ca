import assert from 'node:assert/strict';
import type { RunState } from '../../../../src/core/run/runState.ts';
import { Dice } from './simulation/dice.ts';
import { makeScenario } from './simulation/scenario.ts';
import { simulate } from './simulation/simulate.ts';
import type { World } from './simulation/world.ts';

const { AGENTKIT_SEED, AGENTKIT_RUNS } = process.env;
const count = Number(AGENTKIT_RUNS ?? 250);

/** Set AGENTKIT_SEED to the seed of a failure to see it again, AGENTKIT_RUNS to search longer. */
function forSeeds(check: (seed: number) => void): void {
  const first = Date.now() % 1_000_000_000;
  const seeds =
    AGENTKIT_SEED === undefined
      ? Array.from({ length: count }, (_, index) => first + index)
      : [Number(AGENTKIT_SEED)];
  for (const seed of seeds) {
    try {
      check(seed);
    } catch (error) {
      throw new Error(`AGENTKIT_SEED=${seed}: ${String(error)}`, { cause: error });
    }
  }
}

describe('a simulated run', function () {
  this.timeout(120_000);

  it('keeps every invariant whatever happens, and comes to rest', () => {
    forSeeds((seed) => {
      simulate(makeScenario(seed), new Dice(seed + 1), { crash: 0.01, wildSteps: 1200, person: true });
    });
  });

  it('comes to the same end however often its owner dies', () => {
    forSeeds((seed) => {
      const scenario = makeScenario(seed);
      const calm = simulate(scenario, new Dice(seed + 1), { crash: 0, wildSteps: 0, person: true });
      const crashed = simulate(scenario, new Dice(seed + 2), { crash: 0.05, wildSteps: 0, person: true });
      assert.deepEqual(endOf(crashed), endOf(calm));
    });
  });
});

/** What a person sees of the end, without what depends on who was faster. */
function endOf({ world, state }: { world: World; state: RunState }): unknown {
  return {
    status: state.status,
    lanes: state.lanes.map(({ id, state: end, attempts, gate, mergeGate, merge }) => ({
      id,
      end,
      attempts: attempts.map(({ outcome }) => outcome),
      gate: gate?.status,
      mergeGate: mergeGate?.status,
      merge: merge?.status,
    })),
    merged: state.lanes
      .filter(({ merge }) => merge?.made !== undefined && world.isAncestor(merge.made.commit, world.target))
      .map(({ id }) => id),
  };
}
