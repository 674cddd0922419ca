import { decide } from '../../../../../src/core/run/decide.ts';
import { isActive } from '../../../../../src/core/run/isActive.ts';
import type { Action } from '../../../../../src/core/run/action.ts';
import { applyEvent, fold } from '../../../../../src/core/run/fold.ts';
import { keysOf } from '../../../../../src/core/run/keysOf.ts';
import { mayBegin } from '../../../../../src/core/run/predecessors.ts';
import type { RunEvent, RunEventBody } from '../../../../../src/core/run/runEvent.ts';
import type { RunState } from '../../../../../src/core/run/runState.ts';
import { stamped } from '../samples.ts';
import { act } from './act.ts';
import { gather } from './gather.ts';
import type { World } from './world.ts';

interface Task {
  action: Action;
  steps: Generator<undefined, void>;
}

/** Told of every append: what the state was, what was written and what it is now. */
export type OnAppend = (before: RunState, events: readonly RunEvent[], after: RunState) => void;

/**
 * The conductor of the engine with time cut into pieces: each look and each action is a generator that stops
 * wherever the real one awaits, so that they interleave at will and a crash can come between any two steps.
 */
export class Owner {
  readonly world: World;
  readonly startNew: boolean;
  readonly #onAppend: OnAppend;
  readonly #tasks: Task[] = [];
  /** Its number, which is over once another owner took its place. */
  readonly #fence: number;
  #look: Generator<undefined, void>;
  state: RunState;
  /** Nothing is left to do before a person asks for something. */
  atRest = false;

  constructor(world: World, startNew: boolean, onAppend: OnAppend) {
    this.world = world;
    this.startNew = startNew;
    this.#onAppend = onAppend;
    world.owner += 1;
    this.#fence = world.owner;
    this.state = world.state ?? fold(world.scenario.plan, world.journal);
    const identity = { pid: world.owner, started: '', boot: '', head: 'ak' as const };
    this.append({ type: 'owner', owner: identity, fence: this.state.fence + 1 });
    this.#look = this.#lookOnce();
  }

  /** How many things go on that `advance` may move. */
  get moves(): number {
    return this.#tasks.length + 1;
  }

  /** Moves one of the actions under way, or the look, by one step. */
  advance(which: number): void {
    const chosen = this.#tasks[which];
    if (chosen === undefined) {
      if (this.#look.next().done === true) this.#look = this.#lookOnce();
      return;
    }
    // What is only written down is written in the order in which it was decided.
    const isAppend = chosen.action.do === 'append';
    const task = isAppend ? this.#tasks.find(({ action }) => action.do === 'append') : chosen;
    if (task?.steps.next().done === true) this.#tasks.splice(this.#tasks.indexOf(task), 1);
  }

  append(...bodies: RunEventBody[]): void {
    if (this.world.owner !== this.#fence) throw new Error('another owner writes this journal');
    const events = stamped(bodies, this.state.seq);
    const before = this.state;
    this.state = events.reduce(applyEvent, before);
    this.world.journal.push(...events);
    this.world.state = this.state;
    this.#onAppend(before, events, this.state);
  }

  *#lookOnce(): Generator<undefined, void> {
    let state: RunState;
    let facts;
    do {
      state = this.state;
      facts = yield* gather(this.world, state, this.startNew);
    } while (state !== this.state);
    for (const action of decide(state, facts)) {
      if (!this.#isBusy(keysOf(action))) this.#tasks.push({ action, steps: act(this, action) });
    }
    const { lanes } = state;
    const worked = lanes.some((lane) => isActive(lane) && (this.startNew || lane.state !== 'preparing'));
    const waits = facts.requests.length > 0 || (this.startNew && lanes.some((lane) => mayBegin(state, lane)));
    this.atRest = this.#tasks.length === 0 && !worked && !waits;
  }

  #isBusy(keys: readonly string[]): boolean {
    return this.#tasks.some(({ action }) => keysOf(action).some((key) => keys.includes(key)));
  }
}
