import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How much later than due a timer came, in milliseconds. */
export interface Delay {
  p50: number;
  p99: number;
  max: number;
}

/** Of the timer that is measured, in milliseconds: as fine as Node's own default. */
const resolution = 10;

/** Measures the event loop of this process from now on. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution });

  constructor() {
    this.#histogram.enable();
  }

  /** Ends the measurement. The histogram has whole intervals, so the timer's own is taken off. */
  read(): Delay {
    this.#histogram.disable();
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
    const { max } = this.#histogram;
    return {
      p50: late(this.#histogram.percentile(50)),
      p99: late(this.#histogram.percentile(99)),
      max: late(max),
    };
  }
}

/** A Node process that does nothing but measure its own event loop. */
export class BareLoop {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<BareLoop> {
    const child = fork(import.meta.filename);
    await once(child, 'message');
    return new BareLoop(child);
  }

  /** Begins anew. */
  async reset(): Promise<void> {
    await this.read();
  }

  /** What was measured since the last reading. */
  async read(): Promise<Delay> {
    const answer = once(this.#child, 'message');
    this.#child.send('read');
    const [delay] = (await answer) as [Delay];
    return delay;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}

export function describeDelay({ p50, p99, max }: Delay): string {
  return `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms`;
}

/** As a process of its own this file is the bare one. */
if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  let delay = new LoopDelay();
  process.on('message', () => {
    process.send?.(delay.read());
    delay = new LoopDelay();
  });
  process.send(delay.read());
  delay = new LoopDelay();
}
