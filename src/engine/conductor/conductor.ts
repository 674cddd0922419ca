import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { Action } from '../../core/run/action.ts';
import { describeAction } from '../../core/run/describeAction.ts';
import { decide } from '../../core/run/decide.ts';
import { isActive } from '../../core/run/isActive.ts';
import type { Facts } from '../../core/run/facts.ts';
import { applyEvent } from '../../core/run/fold.ts';
import { keysOf } from '../../core/run/keysOf.ts';
import { mayBegin } from '../../core/run/predecessors.ts';
import { redactEvent } from '../../core/run/redactEvent.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { secretValues } from '../process/secretValues.ts';
import type { Journal } from '../store/journal.ts';
import { stepFiles } from '../store/paths.ts';
import { requestsFolder } from '../store/runFolder.ts';
import { act } from './act.ts';
import { gatherFacts, type AccountSource } from './gatherFacts.ts';
import { MergeLock } from './mergeLock.ts';
import { freeAccount } from './holdAccount.ts';
import type { EngineContext, RunContext } from './runContext.ts';
import { readSpend } from './readSpend.ts';
import { soonestReset } from './soonestReset.ts';
import { StartLimit } from './startLimit.ts';
import { Wake } from './wake.ts';

/** Longest time between two looks, in milliseconds, while something runs: watchers are a courtesy of the system. */
const slowLook = 1000;

/** The same while lanes only wait for an account's window to be reset. */
const longLook = 30_000;

const { transcript, output, supervisorLog, status } = stepFiles('');
/** These change all the time while agents work, and what a decision needs of them the slow look sees soon enough. */
const chatter = [transcript, output, supervisorLog, status];

export interface ConductorOptions {
  engine: EngineContext;
  folder: string;
  journal: Journal;
  state: RunState;
  accounts: AccountSource;
  /** Whether new agents may be started. */
  startNew: boolean;
}

/**
 * Drives one run: fold, decide, act, append, until nothing is left to do. It is the only writer of the
 * run's journal while it lives. Actions of different lanes go side by side, those of one lane in order.
 */
export class Conductor {
  readonly #options: ConductorOptions;
  readonly #wake = new Wake(chatter);
  readonly #mergeLock: MergeLock;
  readonly #starts = new StartLimit();
  readonly #secrets: readonly string[];
  readonly #inFlight = new Map<Action, Promise<void>>();
  #state: RunState;
  #failure: Error | undefined;
  #closed = false;

  constructor(options: ConductorOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#secrets = secretValues(options.engine.environment);
    const { commonDir } = options.engine.repository;
    this.#mergeLock = new MergeLock(commonDir, () => this.#state.target.ref);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Looks again now, for a request that was just written. */
  wake(): void {
    this.#wake.now();
  }

  /** Goes on until the run is at rest: nothing can be done before a person asks for something. */
  async conduct(): Promise<void> {
    try {
      while (!this.#closed) {
        if (!(await this.#step())) return;
        if (this.#failure !== undefined) throw this.#failure;
      }
    } finally {
      await Promise.allSettled(this.#inFlight.values());
      this.#wake.close();
      this.#mergeLock.release();
    }
  }

  /** Whether it was told to let go. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Lets go after the actions under way; what runs in supervisors goes on. */
  close(): void {
    this.#closed = true;
    this.#wake.now();
  }

  /** One look. False when the run is at rest. */
  async #step(): Promise<boolean> {
    this.#watch();
    const facts = await this.#look();
    for (const action of decide(this.#state, facts)) if (!this.#isBusy(keysOf(action))) this.#begin(action);
    const waiting = facts.requests.length > 0 || this.#waitsForAccount(facts.startNew);
    if (this.#inFlight.size === 0 && !waiting && !this.#state.lanes.some((lane) => this.#isWorked(lane)))
      return false;
    await this.#wake.wait(this.#pause());
    return true;
  }

  /** Facts that belong to the state: read again when an action under way changed it meanwhile. */
  async #look(): Promise<Facts> {
    for (;;) {
      const state = this.#state;
      const facts = await gatherFacts(this.#options, state, {
        mergeLock: this.#mergeLock,
        starts: this.#starts,
      });
      if (state === this.#state) return facts;
    }
  }

  #isBusy(keys: readonly string[]): boolean {
    return [...this.#inFlight.keys()].some((action) => keysOf(action).some((key) => keys.includes(key)));
  }

  #isWorked(lane: LaneRecord): boolean {
    return isActive(lane) && (this.#options.startNew || lane.state !== 'preparing');
  }

  /** A lane in the queue that depends on nothing unmerged begins as soon as an account is free. */
  #waitsForAccount(startNew: boolean): boolean {
    return startNew && this.#state.lanes.some((lane) => mayBegin(this.#state, lane));
  }

  /** Until when nothing is to be looked at, as far as that is known, in milliseconds from now. */
  #pause(): number {
    const { waitMs } = this.#starts;
    if (waitMs > 0) return waitMs;
    if (this.#inFlight.size > 0) return slowLook;
    const due = soonestReset(this.#state, this.#options.engine.now().getTime());
    return due === undefined ? slowLook : Math.min(due, longLook);
  }

  #begin(action: Action): void {
    if (action.do === 'startAttempt') this.#starts.started();
    const task = act(this.#context(), action)
      .catch((error: unknown) => this.#onFailure(action, error))
      .catch((error: unknown) => {
        this.#failure = error instanceof Error ? error : new Error(messageOf(error));
      })
      .finally(() => {
        this.#inFlight.delete(action);
        this.#wake.now();
      });
    this.#inFlight.set(action, task);
  }

  /** What one lane cannot do blocks that lane; only a journal that cannot be written ends the conductor. */
  async #onFailure(action: Action, error: unknown): Promise<void> {
    if (!('lane' in action) || this.#failure !== undefined) throw error;
    const message = `${describeAction(action)} failed: ${messageOf(error)}`;
    if (this.#lane(action.lane).state === 'merging' || action.do === 'planMerge') {
      const request =
        action.do === 'planMerge' ? action.request.id : (this.#lane(action.lane).merge?.request ?? '');
      return this.#append({ type: 'merge.refused', lane: action.lane, request, reasons: [message] });
    }
    const told = [message];
    if (this.#lane(action.lane).state === 'preparing')
      await freeAccount(this.#context(), action.lane).catch((failed: unknown) =>
        told.push(`Its account could not be freed: ${messageOf(failed)}`),
      );
    return this.#append({ type: 'lane.blocked', lane: action.lane, message: told.join('. ') });
  }

  #watch(): void {
    const steps = this.#state.lanes.flatMap((lane) => pendingStep(lane, this.#state.plan) ?? []);
    const folders = steps.map((step) => join(this.#options.folder, step));
    this.#wake.watch(new Set([requestsFolder(this.#options.folder), ...folders]));
  }

  #context(): RunContext {
    return {
      ...this.#options.engine,
      folder: this.#options.folder,
      state: () => this.#state,
      lane: (id) => this.#lane(id),
      append: (...events) => this.#append(...events),
      isClosed: () => this.#closed,
      spend: () => readSpend(this.#options.accounts, this.#state),
    };
  }

  #lane(id: string): LaneRecord {
    const lane = this.#state.lanes.find((each) => each.id === id);
    if (lane === undefined)
      throw new AgentKitError('not_found', `There is no lane ${id} in run ${this.#state.run}.`);
    return lane;
  }

  /** What the fold would refuse is never written. A journal that cannot be written ends the conductor. */
  async #append(...given: RunEventBody[]): Promise<void> {
    const bodies = given.map((body) => redactEvent(body, this.#secrets));
    bodies.reduce((state, body) => applyEvent(state, { ...body, seq: state.seq + 1, at: '' }), this.#state);
    try {
      const events = await this.#options.journal.append(bodies);
      this.#state = events.reduce(applyEvent, this.#state);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(messageOf(error));
      throw error;
    }
  }
}
