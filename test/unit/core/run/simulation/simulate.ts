import assert from 'node:assert/strict';
import { decide } from '../../../../../src/core/run/decide.ts';
import { isActive } from '../../../../../src/core/run/isActive.ts';
import { fold } from '../../../../../src/core/run/fold.ts';
import { mayBegin } from '../../../../../src/core/run/predecessors.ts';
import type { RunState } from '../../../../../src/core/run/runState.ts';
import { created, stamped } from '../samples.ts';
import { checkJournal } from './checkJournal.ts';
import { checkLeases, checkRemoved, checkWorld } from './checkWorld.ts';
import type { Dice } from './dice.ts';
import { gather } from './gather.ts';
import { ask, askAnything, calmDown, disturb, moveProcess } from './nature.ts';
import { Owner } from './owner.ts';
import { nextWish } from './person.ts';
import type { Scenario } from './scenario.ts';
import { World } from './world.ts';

export interface Weather {
  /** How likely the owner dies at each step. */
  crash: number;
  /** Steps during which people and other runs do what they like, before the run is left to itself. */
  wildSteps: number;
  /** Whether a patient person merges and retries what they can, whenever the run is at rest. */
  person: boolean;
}

/** Far above what any run needs: who gets here goes round in circles. */
const patience = 30_000;

/** A whole run, checked after every step. Ends at rest, or throws what went wrong. */
export function simulate(
  scenario: Scenario,
  dice: Dice,
  weather: Weather,
): { world: World; state: RunState } {
  const world = new World(scenario);
  const begun = created(scenario.plan.jobs.map(({ id }) => id));
  world.journal.push(...stamped([scenario.standing ? { ...begun, standing: true } : begun]));
  let owner: Owner | undefined;
  let before: Owner | undefined;
  for (let step = 0; step < patience; step += 1) {
    const isWild = step < weather.wildSteps;
    if (step === weather.wildSteps) {
      // Whoever came for one request only leaves; the owner that goes on to the end starts new agents.
      calmDown(world);
      owner = undefined;
    }
    // Nobody has to come at once for a run whose owner is gone.
    if (owner === undefined && (!isWild || dice.chance(0.1))) {
      owner = new Owner(world, !isWild || dice.chance(0.85), (...told) => checkJournal(world, ...told));
      checkFence(world, before);
      before = owner;
    }
    if (dice.chance(weather.crash)) {
      owner = die(world);
    } else if (owner !== undefined && dice.chance(0.6)) {
      owner.advance(dice.below(owner.moves));
    } else if (isWild && dice.chance(0.15)) {
      if (dice.chance(0.4)) askAnything(world, dice);
      else disturb(world, dice);
    } else {
      moveProcess(world, dice);
    }
    checkWorld(world);
    if (owner?.atRest !== true) continue;
    const { state } = owner;
    checkLeases(world);
    owner = die(world);
    if (isWild) continue;
    const wish = weather.person ? nextWish(world, state) : undefined;
    if (wish === undefined) return finish(world);
    ask(world, wish);
  }
  throw new Error(`it does not come to rest; the last events: ${lastEvents(world)}`);
}

/** Who was taken for dead and is not writes nothing any more. */
function checkFence(world: World, before: Owner | undefined): void {
  if (before === undefined) return;
  const { length } = world.journal;
  assert.throws(() => before.append({ type: 'run.stopping' }), /another owner/);
  assert.equal(world.journal.length, length);
}

function die(world: World): undefined {
  if (world.mergeLock === 'ours') world.mergeLock = 'free';
  world.owner += 1;
}

/** At rest everything is answered, nothing is under way, and nothing more would be decided. */
function finish(world: World): { world: World; state: RunState } {
  const { scenario } = world;
  const state = fold(scenario.plan, world.journal);
  assert.deepEqual(state, world.state, 'the journal tells something else than its owners knew');
  checkRemoved(world, state);
  const open = world.requests.filter(({ id }) => !(id in state.answers));
  assert.deepEqual(open, [], 'requests without an answer');
  assert.deepEqual(
    state.lanes.filter((lane) => isActive(lane) || mayBegin(state, lane)),
    [],
  );
  assert.notEqual(state.status, 'stopping');
  const waits = state.lanes.some((lane) => lane.state === 'queued');
  assert.equal(
    state.status === 'running',
    waits || scenario.standing,
    'a run ends when nothing waits for a merge, and not before',
  );
  assert.deepEqual(decide(state, readAll(world, state)), []);
  return { world, state };
}

function readAll(world: World, state: RunState) {
  const reading = gather(world, state, true);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

function lastEvents({ journal }: World): string {
  return journal
    .slice(-20)
    .map((event) => JSON.stringify(event))
    .join('\n');
}
