import type { Limit, Refusal } from '../../core/accounts/refusal.ts';
import type { UsageWindow } from '../../core/accounts/usage.ts';
import type { AgentSignal } from '../agents/agentKind.ts';
import type { StepResult } from './launch.ts';

/** What an agent's signals tell about its account; the last of each sort counts. */
export class AccountSignals {
  readonly #redact: (text: string) => string;
  #limit: Limit | undefined;
  #refused: Refusal | undefined;
  #windows: UsageWindow[] | undefined;
  readonly #now: () => number;

  /** `now` tells epoch milliseconds. */
  constructor(redact: (text: string) => string, now: () => number = Date.now) {
    this.#redact = redact;
    this.#now = now;
  }

  /** Signals about other things are passed over. */
  take(signal: AgentSignal): void {
    switch (signal.type) {
      case 'limit': {
        const { type: _type, hangs: _hangs, resets_in_s: seconds, ...limit } = signal;
        const resets_at = seconds && new Date(this.#now() + seconds * 1000).toISOString();
        this.#limit = { ...limit, ...(resets_at && { resets_at }) };
        return;
      }
      case 'refused':
        this.#refused = { reason: signal.reason, message: this.#redact(signal.message) };
        return;
      case 'windows':
        this.#windows = signal.windows;
        return;
      default:
    }
  }

  /** A run that succeeded got over whatever it met; a limit is told without the refusal that comes with it. */
  facts(outcome: StepResult['outcome']): Pick<StepResult, 'limit' | 'refused' | 'windows'> {
    const failed = outcome !== 'succeeded';
    return {
      ...(failed && this.#limit && { limit: this.#limit }),
      ...(failed && !this.#limit && this.#refused && { refused: this.#refused }),
      ...(this.#windows && { windows: this.#windows }),
    };
  }
}
