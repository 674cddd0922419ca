import { Silence } from './silence.ts';

/** How long a process may do nothing, in seconds, where its launch does not say. */
const defaultStallS = 300;

export interface StallParts {
  /** Seconds; 5 minutes when left out. */
  afterS: number | undefined;
  /** CPU time that the process tree has used so far, in seconds. */
  cpuS: () => number;
  waits: () => boolean;
  /** Since when it has done nothing, RFC 3339 UTC; undefined once it does something again. */
  onChange: (stalledSince: string | undefined) => void;
}

/** Watches a process tree for stalls, which are only told: nothing is ended for one. */
export class StallWatch {
  readonly #parts: StallParts;
  readonly #silence: Silence;
  readonly #timer: NodeJS.Timeout;
  #spoke = false;
  #stalled = false;

  constructor(parts: StallParts) {
    this.#parts = parts;
    this.#silence = new Silence(parts.afterS ?? defaultStallS, performance.now());
    this.#timer = setInterval(() => this.#look(), this.#silence.everyMs);
  }

  /** Called for every piece of output, so it does next to nothing. */
  spoke(): void {
    this.#spoke = true;
    if (this.#stalled) this.#tell(undefined);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { cpuS, waits } = this.#parts;
    const quietMs = this.#silence.look({ at: performance.now(), spoke: this.#spoke, waits: waits(), cpuS });
    this.#spoke = false;
    if (quietMs === null) {
      if (this.#stalled) this.#tell(undefined);
    } else if (!this.#stalled) this.#tell(new Date(Date.now() - quietMs).toISOString());
  }

  #tell(since: string | undefined): void {
    this.#stalled = since !== undefined;
    this.#parts.onChange(since);
  }
}
