import type { Waiting } from '../../core/lanes/waiting.ts';
import type { StepResult } from './launch.ts';

/** What the output of a process says about how it went, besides its exit code. */
export interface OutputVerdict extends Pick<
  StepResult,
  'result_text' | 'session_id' | 'usage' | 'denied' | 'truncated'
> {
  /** False when exit code 0 alone is not enough; `message` then says what is missing. */
  ok: boolean;
  message?: string;
}

/** Takes the output of a supervised process as it comes, with bounded memory. */
export interface StepOutput {
  /** What it waits for a person to do; always undefined for what is no agent. */
  readonly waiting: Waiting | undefined;
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** Called once, after both streams have ended. */
  end(): OutputVerdict;
}
