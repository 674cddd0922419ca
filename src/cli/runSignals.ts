const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first Ctrl+C (or SIGTERM, or a terminal that closes) asks to stop, the second one not to wait for it. */
export class RunSignals {
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #onSignal: () => void;

  constructor(onStop: () => void) {
    this.#onSignal = () => {
      if (this.stop.aborted) return this.#leave.abort();
      this.#stop.abort();
      onStop();
    };
    for (const name of names) process.on(name, this.#onSignal);
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  get leave(): AbortSignal {
    return this.#leave.signal;
  }

  close(): void {
    for (const name of names) process.off(name, this.#onSignal);
  }
}
