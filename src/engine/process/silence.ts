/** What is seen of a process tree at one look. Times are of a clock that never jumps, in milliseconds. */
export interface Look {
  at: number;
  /** Whether it wrote anything since the look before. */
  spoke: boolean;
  /** Whether it waits for a person: that is no stall. */
  waits: boolean;
  /** CPU time of the tree so far, in seconds; asked only while it is silent. */
  cpuS: () => number;
}

/** Timers and keep-alives of a process that does nothing take about so much of one CPU. */
const idleShare = 0.005;

/**
 * Tells whether a process tree has stalled: no output, and no CPU time beyond that of idling, for `afterS` of time that
 * was really watched. A look that comes far too late (the machine slept, or was too busy to look) begins anew: nobody
 * knows what the tree could have done meanwhile.
 */
export class Silence {
  /** Time between looks, in milliseconds. */
  readonly everyMs: number;
  readonly #afterMs: number;
  #quietMs = 0;
  #last: { at: number; cpuS: number | undefined };

  constructor(afterS: number, startedAt: number) {
    this.#afterMs = afterS * 1000;
    // Slow, for each look may cost as much as listing processes does; but a short bound still gets several.
    this.everyMs = Math.min(this.#afterMs / 4, Math.max(5_000, this.#afterMs / 10));
    this.#last = { at: startedAt, cpuS: undefined };
  }

  /** How long it has done nothing, in milliseconds, once that is a stall; else null. */
  look({ at, spoke, waits, cpuS }: Look): number | null {
    const elapsed = at - this.#last.at;
    if (spoke || waits) return this.#begin(at, undefined);
    const used = cpuS();
    const before = this.#last.cpuS;
    if (elapsed > 2 * this.everyMs) return this.#begin(at, used);
    // The first look after output has nothing to compare with; less than before means that a process has ended.
    const worked = before !== undefined && (used < before || used - before > (idleShare * elapsed) / 1000);
    if (worked) return this.#begin(at, used);
    this.#last = { at, cpuS: used };
    this.#quietMs += before === undefined ? 0 : elapsed;
    return this.#quietMs >= this.#afterMs ? this.#quietMs : null;
  }

  #begin(at: number, cpuS: number | undefined): null {
    this.#quietMs = 0;
    this.#last = { at, cpuS };
    return null;
  }
}
