import { parseResetText } from '../../core/accounts/parseResetText.ts';
import type { Limit, Refusal } from '../../core/accounts/refusal.ts';
import type { UsageWindow } from '../../core/accounts/usage.ts';
import type { AgentSignal } from '../agents/agentKind.ts';
import type { StepResult } from './launch.ts';

/** Refusals that pass by themselves. */
const transient: ReadonlySet<Refusal['reason']> = new Set(['throttled', 'network']);

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

  /** Takes every signal of the stream, in order. */
  take(signal: AgentSignal): void {
    switch (signal.type) {
      case 'limit':
        // Words never replace a time that was told as one.
        if (
          this.#limit?.resets_at === undefined ||
          signal.resets_at !== undefined ||
          signal.resets_in_s !== undefined
        )
          this.#limit = toLimit(signal, this.#now());
        return;
      case 'refused':
        // What one stream tells can overtake the other: what passes does not hide what stays.
        if (this.#refused && !transient.has(this.#refused.reason) && transient.has(signal.reason)) return;
        this.#refused = { reason: signal.reason, message: this.#redact(signal.message) };
        return;
      case 'windows':
        this.#windows = signal.windows;
        return;
      case 'progress':
        if (signal.line.kind === 'text' || signal.line.kind === 'tool') this.#getOver();
        return;
      case 'result':
        if (signal.ok) this.#getOver();
        return;
      case 'session':
      case 'waiting':
    }
  }

  /** The vendor answers again: what passes by itself has passed. */
  #getOver(): void {
    if (this.#refused && transient.has(this.#refused.reason)) this.#refused = undefined;
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

function toLimit(signal: Extract<AgentSignal, { type: 'limit' }>, now: number): Limit {
  const { window, resets_at, one_model, resets_in_s: seconds, resets_text: text } = signal;
  const read = text === undefined ? undefined : parseResetText(text, now);
  const counted = new Date(now + (seconds ?? NaN) * 1000);
  const at = resets_at ?? (Number.isNaN(counted.getTime()) ? read?.at : counted.toISOString());
  return {
    ...(window !== undefined && { window }),
    ...(one_model && { one_model }),
    ...(at !== undefined && { resets_at: at }),
    ...(read?.doubt !== undefined && at === read.at && { doubt: read.doubt }),
  };
}
