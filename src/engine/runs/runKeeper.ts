import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import type { Answer, RequestBody } from '../../core/run/request.ts';
import { mergeBegunFor } from '../../core/run/mergeBegunFor.ts';
import type { Head } from '../../core/run/runEvent.ts';
import type { RunState } from '../../core/run/runState.ts';
import type { AccountDesk } from '../accounts/accountDesk.ts';
import type { PlanPreview, RequestWait } from '../agentKitTypes.ts';
import { Conductor } from '../conductor/conductor.ts';
import { ownExistingRun, ownNewRun, type OwnedRun } from '../conductor/ownRun.ts';
import type { EngineContext } from '../conductor/runContext.ts';
import { configuredLaneRoot } from '../git/configuredLaneRoot.ts';
import { namesDescribed, type PlanKinds } from '../plans/planKinds.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { isAlive } from '../process/identity.ts';
import { withdrawRequest, writeRequest } from '../store/requests.ts';
import { journalFile } from '../store/runFolder.ts';
import { userFolders } from '../store/userFolders.ts';
import { makeRun } from './newRun.ts';
import { putInOrder } from './putInOrder.ts';
import { requestId } from './requestId.ts';
import { runIdOf, type RunReader } from './runReader.ts';
import { makeStandingRun, standingFolder } from './standingRun.ts';
import { untilStopped } from './untilStopped.ts';
import { whatIsCancelled } from './whatIsCancelled.ts';
import { writeReport } from './writeReport.ts';

/** How often an asker looks for the answer of another process, in milliseconds. */
const answerLook = 100;
/** A check of a merge that is stopped has ended by then, in milliseconds, if its owner is well. */
const stopPatience = 15_000;
/** An owner that is alive and well answers sooner than this, in milliseconds. */
const ownerPatience = 2000;

interface KeeperOptions {
  engine: EngineContext;
  /** The checkout in which a plan's base means what it says. */
  checkout: string;
  /** The kinds of a run are those of its base commit, whoever goes on with it. */
  kindsAt: (commit: string) => Promise<PlanKinds>;
  head: Head;
  desk: AccountDesk;
  reader: RunReader;
}

type Owned = OwnedRun & Pick<PlanKinds, 'kinds'> & Pick<EngineContext, 'laneRoot'>;

interface Kept {
  conductor: Conductor;
  /** False for an owner that came for one request only. */
  startNew: boolean;
  atRest: Promise<RunView>;
}

/** The runs that this process owns: starts, takes over, asks and lets go. */
export class RunKeeper {
  readonly #options: KeeperOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #order = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** @throws AgentKitError `invalid_input` with every problem, `refused` with every reason */
  async start(preview: PlanPreview): Promise<{ run: string; atRest: Promise<RunView> }> {
    const { engine, checkout, kindsAt, head, reader } = this.#options;
    const { plan, refusal, base: shown } = preview;
    if (plan === null || refusal !== null)
      throw new AgentKitError(refusal ?? 'refused', preview.whyNot.join('\n'));
    requireUserFolders(this.#options.engine);
    const laneRoot = await this.#laneRoot(plan);
    const { run, folder, owned } = await takeTurn(engine.repository.commonDir, async () => {
      const made = await makeRun({ ...engine, laneRoot, checkout, plan, shown, reader, now: engine.now() });
      const { kinds } = await kindsAt(made.base);
      const own = await ownNewRun(made.folder, head, made.created, engine.now);
      return { ...made, owned: { kinds, laneRoot, ...own } };
    });
    await writeReport(await reader.view(folder));
    return { run, atRest: this.#keep(folder, owned, true).atRest };
  }

  /**
   * Owns the run to go on with it: an owner that came for one request, is letting go, or began before its agents were
   * to ask, gives way first. @throws AgentKitError `conflict` when another process owns it
   */
  async keepForGood(folder: string, ask = false): Promise<Kept> {
    for (;;) {
      const kept = this.#kept.get(folder);
      if (kept === undefined) {
        await this.#requireAllowed(folder);
        const owned = await this.#take(folder, ask);
        void this.#putInOrder(folder, owned.state);
        return this.#keep(folder, owned, true);
      }
      if (kept.startNew && !kept.conductor.isClosed && !ask) return kept;
      kept.conductor.close();
      await kept.atRest.catch(() => undefined);
    }
  }

  /** Beside the work: what is found only adds to what is shown. */
  async #putInOrder(folder: string, state: RunState): Promise<void> {
    const { engine, reader } = this.#options;
    const order = putInOrder(engine, state).catch((error: unknown) => {
      const lanes = state.lanes.map(({ id }): [string, string[]] => [id, [messageOf(error)]]);
      return new Map(lanes);
    });
    this.#order.add(order);
    reader.note(folder, await order);
    this.#order.delete(order);
  }

  /**
   * Puts the request to the run's owner, or becomes it where there is none, and waits for the answer.
   * @throws AgentKitError `cancelled` once the signal came and the request is withdrawn
   */
  async request(folder: string, body: RequestBody, wait: RequestWait = {}): Promise<Answer> {
    const id = await this.ask(folder, body);
    return this.answerTo(folder, id, body, wait);
  }

  /** Puts a request to the owner of a run, whoever that will be. Resolves to its id. */
  async ask(folder: string, body: RequestBody): Promise<string> {
    requireUserFolders(this.#options.engine);
    const id = requestId();
    await writeRequest(folder, { ...body, id });
    return id;
  }

  /** The folder of the repository's standing run, which is made on first need. Call it in a turn. */
  async standing(): Promise<string> {
    const { engine, checkout, head } = this.#options;
    const { commonDir } = engine.repository;
    const known = standingFolder(commonDir);
    if (existsSync(journalFile(known))) return known;
    requireUserFolders(this.#options.engine);
    const { folder, created } = await makeStandingRun(engine.repository, checkout);
    (await ownNewRun(folder, head, created, engine.now)).lock.release();
    return folder;
  }

  /** Waits for the answer to a request, as `request` does; one that whoever asked was told no answer to is withdrawn. */
  async answerTo(folder: string, id: string, body: RequestBody, wait: RequestWait = {}): Promise<Answer> {
    try {
      return await this.#answerTo(folder, id, body, wait);
    } catch (error) {
      await withdrawRequest(folder, id);
      throw error;
    }
  }

  async #answerTo(folder: string, id: string, body: RequestBody, wait: RequestWait): Promise<Answer> {
    const mine = this.#kept.has(folder);
    const patience = performance.now() + ownerPatience;
    let { onWait } = wait;
    let asked: Kept | undefined;
    let failure: { error: unknown } | undefined;
    // A merge that had begun, and for nobody else, is stopped before its request is given up.
    let stopBy: number | undefined;
    for (;;) {
      const before = failure;
      const state = await this.#options.reader.state(folder);
      const answer = state.answers[id];
      const kept = this.#kept.get(folder);
      if (answer !== undefined) {
        if (!mine && this.#options.head === 'ak' && !begins(body)) {
          if (answer.ok && kept)
            await untilStopped(this.#options.reader, folder, body, kept.atRest, wait.signal);
          kept?.conductor.close();
        }
        if (stopBy !== undefined && !answer.ok) throw new AgentKitError('cancelled', answer.message);
        return answer;
      }
      if (wait.signal?.aborted === true && (stopBy ?? 0) < performance.now()) {
        const begun = mergeBegunFor(state, id);
        if (stopBy === undefined && begun?.merge?.joined.length === 0) {
          await this.ask(folder, { do: 'stopLane', lane: begun.id });
          stopBy = performance.now() + stopPatience;
          continue;
        }
        await withdrawRequest(folder, id);
        if (!mine && this.#options.head === 'ak') await this.#letGo(kept);
        const now = await this.#options.reader.state(folder);
        if (id in now.answers) continue;
        throw new AgentKitError('cancelled', whatIsCancelled(now, body, id));
      }
      // Taking a run again whose conductor has failed here would only have it fail again.
      if (before !== undefined) throw before.error;
      const owned = kept ?? (await this.#takeIfFree(folder, body));
      owned?.conductor.wake();
      if (owned !== undefined && owned !== asked) {
        asked = owned;
        owned.atRest.catch((error: unknown) => (failure = { error }));
      }
      if (owned === undefined && onWait !== undefined && performance.now() > patience) {
        if (state.owner !== undefined && isAlive(state.owner)) onWait(state.owner);
        onWait = undefined;
      }
      const signal = stopBy === undefined ? wait.signal : undefined;
      await pause(answerLook, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Lets go of every run; what runs in supervisors goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    const kept = [...this.#kept.values()];
    for (const { conductor } of kept) conductor.close();
    await Promise.allSettled([...kept.map(({ atRest }) => atRest), ...this.#order]);
  }

  /** After it, what was begun for a request stands in the journal. */
  async #letGo(kept: Kept | undefined): Promise<void> {
    kept?.conductor.close();
    await kept?.atRest.catch(() => undefined);
  }

  async #takeIfFree(folder: string, body: RequestBody): Promise<Kept | undefined> {
    const startNew = this.#options.head === 'editor' || (begins(body) && body.do !== 'gate');
    try {
      return this.#keep(folder, await this.#take(folder), startNew);
    } catch (error) {
      if (error instanceof AgentKitError && error.reason === 'conflict') return undefined;
      throw error;
    }
  }

  /** @throws AgentKitError `refused` where the run's agents are of a kind that may not run here */
  async #requireAllowed(folder: string): Promise<void> {
    const { plan, base } = await this.#options.reader.state(folder);
    const { described, unallowed } = await this.#options.kindsAt(base.sha);
    if (unallowed.length > 0 && namesDescribed(plan, described))
      throw new AgentKitError('refused', unallowed.join('\n'));
  }

  async #take(folder: string, ask = false): Promise<Owned> {
    const { head, engine, kindsAt } = this.#options;
    requireUserFolders(this.#options.engine);
    // Whoever still waits for something would take it again right after it was let go.
    if (this.#closed) throw new AgentKitError('cancelled', `Run ${runIdOf(folder)} was let go; resume it.`);
    const owned = await ownExistingRun(folder, { head, ask }, engine.now);
    try {
      const { plan, base } = owned.state;
      return { ...owned, kinds: (await kindsAt(base.sha)).kinds, laneRoot: await this.#laneRoot(plan) };
    } catch (error) {
      owned.lock.release();
      throw error;
    }
  }

  /** Whatever its repository says by now, the lanes of a run go where its plan says. */
  async #laneRoot({ worktree }: ResolvedPlan): Promise<string> {
    return (await configuredLaneRoot(this.#options.engine.repository, worktree?.root)).folder;
  }

  #keep(folder: string, owned: Owned, startNew: boolean): Kept {
    const { engine, desk } = this.#options;
    const { journal, state, lock, kinds, laneRoot } = owned;
    const conductor = new Conductor({
      engine: { ...engine, kinds, laneRoot },
      folder,
      journal,
      state,
      accounts: desk.with(kinds).source(state.plan),
      startNew,
    });
    const kept: Kept = { conductor, startNew, atRest: this.#conduct(folder, conductor, lock) };
    kept.atRest.catch(() => undefined);
    this.#kept.set(folder, kept);
    return kept;
  }

  async #conduct(folder: string, conductor: Conductor, lock: OwnedRun['lock']): Promise<RunView> {
    try {
      await conductor.conduct();
      const view = await this.#options.reader.view(folder);
      // What is made by hand is no piece of work that ends with a report.
      if (!view.standing) await writeReport(view);
      return view;
    } finally {
      lock.release();
      this.#kept.delete(folder);
    }
  }
}

/** Whether something goes on after the answer. */
function begins(body: RequestBody): boolean {
  return body.do === 'retry' || body.do === 'gate' || body.do === 'tell' || body.do === 'addLane';
}

/** Before anything is taken or written: nothing goes on without them. @throws AgentKitError `usage` */
const requireUserFolders = ({ environment }: EngineContext) => void userFolders(environment);
