import { EventEmitter, type Disposable } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import type { AgentKit, Watch } from '../../engine/agentKitTypes.ts';
import { diffRuns, type RunsDiff } from './diffRuns.ts';

/** Least time between two readings, in milliseconds; so no element refreshes more often. */
const quietMs = 250;

export interface LanesChange extends RunsDiff {
  /** Undefined at the first reading of this window. */
  before: readonly RunView[] | undefined;
  after: readonly RunView[];
}

/** The one owner of run and lane state in this window; everything shown is a projection of it. */
export class LaneStore implements Disposable {
  readonly #changed = new EventEmitter<LanesChange>();
  readonly onDidChange = this.#changed.event;
  readonly #failed = new EventEmitter<string | undefined>();
  /** Why the runs cannot be read; undefined when they can be again. */
  readonly onDidFail = this.#failed.event;
  #failure: string | undefined;
  #kit: AgentKit | undefined;
  #watch: Watch | undefined;
  #runs: readonly RunView[] | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #readAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Newest first. */
  get runs(): readonly RunView[] {
    return this.#runs ?? [];
  }

  /** Takes the engine as its source and reads for the first time. */
  async connect(kit: AgentKit): Promise<void> {
    this.disconnect();
    this.#kit = kit;
    this.#watch = kit.watchRuns(() => this.#schedule());
    await this.refresh();
  }

  disconnect(): void {
    this.#watch?.close();
    clearTimeout(this.#timer);
    this.#watch = this.#kit = this.#timer = undefined;
    if (this.#runs) this.#accept([]);
    this.#runs = undefined;
  }

  /** Reads now, after a reading under way; resolves when the store shows the result. */
  async refresh(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readUntilQuiet().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  run(id: string): RunView | undefined {
    return this.runs.find((run) => run.run === id);
  }

  /** Without a run the newest one that has the lane wins. */
  lane(id: string, run?: string): LaneView | undefined {
    const candidates = run === undefined ? this.runs : this.runs.filter((each) => each.run === run);
    return candidates.flatMap((each) => each.lanes).find((lane) => lane.lane === id);
  }

  dispose(): void {
    this.disconnect();
    this.#changed.dispose();
    this.#failed.dispose();
  }

  async #readUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      const kit = this.#kit;
      this.#readAt = Date.now();
      try {
        const found = await kit?.listRuns();
        if (found && kit === this.#kit) this.#accept(found.runs);
        this.#tell(found?.unreadable.map(({ message }) => message).join(' ') || undefined);
      } catch (error) {
        this.#tell(messageOf(error));
      }
    } while (this.#again);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void this.refresh();
      },
      Math.max(0, this.#readAt + quietMs - Date.now()),
    );
  }

  #tell(failure: string | undefined): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#failed.fire(failure);
  }

  #accept(runs: readonly RunView[]): void {
    const before = this.#runs;
    const after = runs.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
    const diff = diffRuns(before ?? [], after);
    this.#runs = after;
    if (diff) this.#changed.fire({ ...diff, before, after });
  }
}
