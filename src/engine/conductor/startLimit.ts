import { freeMemory } from '../process/platform/freeMemory.ts';

/** Shortest time between the starts of two agents, in milliseconds: each loads much at its beginning. */
const apart = 250;
/** With less free memory than so many bytes no agent starts beside another one. */
const roomForOne = 1024 * 1024 * 1024;

/** Whether no agent starts beside others now. */
export function isMemoryShort(free = freeMemory()): boolean {
  return free < roomForOne;
}

/** What the limit is measured with. */
export interface StartClock {
  /** Milliseconds that never run backwards. */
  now: () => number;
  freeMemory: () => number;
}

/** How many agents one owner may start now: one at a time, and none beside others where memory is short. */
export class StartLimit {
  readonly #clock: StartClock;
  #last = -Infinity;

  constructor(clock: StartClock = { now: () => performance.now(), freeMemory }) {
    this.#clock = clock;
  }

  /** @param othersRun whether an agent runs; asked only where memory is short */
  async allowed(othersRun: () => Promise<boolean>): Promise<number> {
    if (this.waitMs > 0) return 0;
    if (!isMemoryShort(this.#clock.freeMemory())) return 1;
    return (await othersRun()) ? 0 : 1;
  }

  /** How long until the next may start, in milliseconds, as far as that is known. */
  get waitMs(): number {
    return Math.max(0, this.#last + apart - this.#clock.now());
  }

  started(): void {
    this.#last = this.#clock.now();
  }
}
