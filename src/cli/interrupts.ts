import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError } from '../core/agentKitError.ts';

/** A command that has not let go by then is left to itself, in milliseconds. */
const grace = 3000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl+C (or SIGTERM) asks the command to let go, by the abort signal, and waits a moment for it; the second
 * one ends the process at once, as it does without us.
 */
export class Interrupts {
  readonly #abort = new AbortController();
  readonly #onSignal = (name: NodeJS.Signals) => {
    if (this.signal.aborted) {
      this.release();
      // A signal is no exit to Node; what must not outlive us, like a CLI that is asked, is ended all the same.
      process.emit('exit', 1);
      process.kill(process.pid, name);
    }
    this.#abort.abort(new AgentKitError('cancelled', 'Cancelled.'));
  };

  constructor() {
    for (const name of signals) process.on(name, this.#onSignal);
  }

  /** Aborted with an AgentKitError `cancelled`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Rejects when the command did not let go in time. @throws AgentKitError `cancelled` */
  async givesUp(): Promise<never> {
    if (!this.signal.aborted) await once(this.signal, 'abort');
    await pause(grace);
    throw this.signal.reason;
  }

  /** Leaves signals to the system, or to a command with an answer of its own to them. */
  release(): void {
    for (const name of signals) process.off(name, this.#onSignal);
  }
}
