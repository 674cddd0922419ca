import { existsSync } from 'node:fs';
import type { StepResult } from './launch.ts';

/** Why a process is being stopped by us. */
export interface StopCause {
  outcome: Extract<StepResult['outcome'], 'timeout' | 'stopped' | 'failed'>;
  message: string;
  /** It waited for somebody for too long. */
  unanswered?: true;
}

export interface StopWatch {
  /** Set once, by whatever came first. */
  readonly cause: StopCause | null;
  /** Resolves when there is a cause. */
  readonly stopped: Promise<void>;
  /** Stops it, unless there is a cause already. */
  stop(cause: StopCause): void;
  close(): void;
}

const pollMs = 250;
/** Longest delay a timer takes; a longer timeout is as good as none. */
const maxDelayMs = 2 ** 31 - 1;

/** Watches for the stop file, SIGTERM to this process, and the timeout. */
export function watchForStop(stopFile: string, timeoutS: number): StopWatch {
  let cause: StopCause | null = null;
  let tell = () => {};
  const stopped = new Promise<void>((resolve) => (tell = resolve));
  const stop = (why: StopCause) => {
    cause ??= why;
    tell();
  };
  const look = () => {
    if (existsSync(stopFile)) {
      stop({ outcome: 'stopped', message: 'Stopped on request' });
    }
  };
  const onSignal = () =>
    stop({ outcome: 'stopped', message: 'Stopped: the supervisor was told to end (SIGTERM)' });
  const onTimeout = () =>
    stop({ outcome: 'timeout', message: `Stopped after its time of ${timeoutS} s was over` });
  look();
  const poll = setInterval(look, pollMs);
  const timer = setTimeout(onTimeout, Math.min(timeoutS * 1000, maxDelayMs));
  process.on('SIGTERM', onSignal);
  return {
    get cause() {
      return cause;
    },
    stopped,
    stop,
    close() {
      // The handler of SIGTERM stays: until this process ends by itself nothing may cut off the writing of the result.
      clearInterval(poll);
      clearTimeout(timer);
    },
  };
}
