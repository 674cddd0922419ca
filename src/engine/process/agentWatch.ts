import { describeWaiting, type Waiting } from '../../core/lanes/waiting.ts';
import type { AgentSignal } from '../agents/agentKind.ts';
import type { StopCause } from './watchForStop.ts';

/** How long an agent may wait for a person, in seconds, where its launch does not say. */
const defaultWaitingS = 600;

/**
 * Follows what an agent's signals tell of its standing still: that it waits for a person, which is told and never
 * answered, or that its CLI would hang. Either ends the process, through `end`, unless the agent goes on before.
 */
export class AgentWatch {
  readonly #waitingS: number;
  readonly #end: (cause: StopCause) => void;
  #waiting: Waiting | undefined;
  #waitingTimer: NodeJS.Timeout | undefined;
  /** When it first said that it hangs, on the monotonic clock. */
  #hangsSince: number | undefined;
  #hangTimer: NodeJS.Timeout | undefined;

  constructor(end: (cause: StopCause) => void, waitingS = defaultWaitingS) {
    this.#end = end;
    this.#waitingS = waitingS;
  }

  /** What it waits for now. */
  get waiting(): Waiting | undefined {
    return this.#waiting;
  }

  take(signal: AgentSignal): void {
    switch (signal.type) {
      case 'waiting':
        return this.#wait(signal.reason, signal.message);
      case 'limit':
      case 'refused':
        return this.#hang(signal);
      case 'progress':
        this.#goOn();
        // A CLI that hangs tells so again and again; only work shows that it got over it.
        if (signal.line.kind === 'text' || signal.line.kind === 'tool') this.#getOver();
        return;
      case 'result':
        this.#getOver();
        return this.#goOn();
      case 'session':
        // Told where an answer of the model begins, which can take long to come.
        return this.#getOver();
      case 'windows':
    }
  }

  close(): void {
    this.#goOn();
    this.#getOver();
  }

  /** Asking for the same again, or for more, without any progress is one waiting. */
  #wait(reason: Waiting['reason'], message: string): void {
    if (this.#waiting?.reason !== reason || this.#waiting.message !== message) {
      this.#waiting = { reason, message, since: new Date().toISOString() };
    }
    this.#waitingTimer ??= setTimeout(() => this.#giveUp(), this.#waitingS * 1000);
  }

  #giveUp(): void {
    const what = this.#waiting ? describeWaiting(this.#waiting) : 'its agent waits';
    this.#end({
      outcome: 'stopped',
      unanswered: true,
      message: `Interrupted: ${what}; nobody answered within ${this.#waitingS} s`,
    });
  }

  #hang(signal: Extract<AgentSignal, { type: 'limit' | 'refused' }>): void {
    const { hangs } = signal;
    if (hangs === undefined) return;
    const why = signal.type === 'limit' ? 'it would wait for its limit to be over' : signal.message;
    const end = () => this.#end({ outcome: 'failed', message: `Ended, for it would hang: ${why}` });
    this.#hangsSince ??= performance.now();
    const leftMs = hangs === true ? 0 : this.#hangsSince + hangs.after_s * 1000 - performance.now();
    if (leftMs <= 0) return end();
    if (hangs !== true && hangs.silent) this.#hangTimer ??= setTimeout(end, leftMs);
  }

  #getOver(): void {
    this.#hangsSince = undefined;
    clearTimeout(this.#hangTimer);
    this.#hangTimer = undefined;
  }

  #goOn(): void {
    this.#waiting = undefined;
    clearTimeout(this.#waitingTimer);
    this.#waitingTimer = undefined;
  }
}
