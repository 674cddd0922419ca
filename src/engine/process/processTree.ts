import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { attemptMark } from './attemptMark.ts';
import { descendantsOf } from './descendants.ts';
import { identityOf } from './identity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

const graceMs = 5_000;
const killedMs = 2_000;
const pollMs = 50;

/**
 * A child in its own process group and what descends from it, also out of the group. Descendants are known from
 * the moment they are noted: one that left the group and lost its parent before that is not found.
 */
export class ProcessTree {
  readonly #group: number | null;
  readonly #mark: string;
  readonly #noted = new Map<string, ProcessIdentity>();

  /**
   * `group` is the child's id, null when that id may mean another group by now. `noted` is what an earlier watcher
   * had noted.
   */
  constructor(group: number | null, mark: string, noted: readonly ProcessIdentity[] = []) {
    this.#group = group;
    this.#mark = mark;
    for (const identity of noted) {
      this.#noted.set(keyOf(identity), identity);
    }
  }

  get noted(): ProcessIdentity[] {
    return [...this.#noted.values()];
  }

  /** Notes every process of the tree that lives now. Returns whether anything changed. */
  note(): boolean {
    const before = [...this.#noted.keys()].join();
    this.#living();
    return before !== [...this.#noted.keys()].join();
  }

  /**
   * Ends the tree: SIGTERM to the group, a grace period, SIGKILL to the group and to what was noted. Spares
   * every process that carries another attempt's mark. Does nothing when nothing lives.
   */
  async end(): Promise<void> {
    if (this.#living().length === 0) {
      return;
    }
    this.#signalGroup('SIGTERM');
    await until(
      graceMs,
      () => !this.#living().some((entry) => this.#inGroup(entry) && !this.#isForeign(entry)),
    );
    this.#signalGroup('SIGKILL');
    await until(killedMs, () => {
      const left = this.#living().filter((entry) => !this.#isForeign(entry));
      left.forEach((entry) => signal(entry.pid, 'SIGKILL'));
      return left.length === 0;
    });
  }

  /** Living processes that carry our mark; after `end` these are strays that left the tree unseen. */
  strays(): number[] {
    const marked = platform
      .list()
      .filter((entry) => !entry.zombie && platform.variable(entry.pid, attemptMark) === this.#mark);
    return marked.map((entry) => entry.pid).filter((pid) => pid !== process.pid);
  }

  /** What of the tree lives, noted afresh; the dead are forgotten. */
  #living(): ProcessEntry[] {
    const entries = platform.list();
    const roots = entries.filter(
      (entry) => this.#noted.has(keyOf(identityOf(entry))) || this.#inGroup(entry),
    );
    const all = [...roots, ...descendantsOf(roots, entries)];
    const living = new Map(
      all
        .filter((entry) => !entry.zombie && entry.pid !== process.pid)
        .map((entry) => [keyOf(identityOf(entry)), entry]),
    );
    this.#noted.clear();
    living.forEach((entry, key) => this.#noted.set(key, identityOf(entry)));
    return [...living.values()];
  }

  #signalGroup(name: NodeJS.Signals): void {
    const members = this.#living().filter((entry) => this.#inGroup(entry));
    const ours = members.filter((entry) => !this.#isForeign(entry));
    if (ours.length < members.length) {
      ours.forEach((entry) => signal(entry.pid, name));
    } else if (members.length > 0 && this.#group !== null) {
      signal(-this.#group, name);
    }
  }

  #inGroup(entry: ProcessEntry): boolean {
    return entry.group === this.#group && !entry.zombie;
  }

  #isForeign(entry: ProcessEntry): boolean {
    const mark = platform.variable(entry.pid, attemptMark);
    return mark !== null && mark !== this.#mark;
  }
}

function keyOf(identity: ProcessIdentity): string {
  return `${identity.pid}:${identity.started}:${identity.boot}`;
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // It has ended meanwhile.
  }
}

async function until(limitMs: number, done: () => boolean): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!done() && performance.now() < deadline) {
    await wait(pollMs);
  }
}
