/** Why an operation did not happen. Callers branch on the reason, never on the message. */
export type ErrorReason =
  | 'usage'
  | 'invalid_input'
  | 'not_found'
  | 'not_accessible'
  | 'not_installed'
  | 'not_logged_in'
  | 'wrong_account'
  | 'none_qualifies'
  | 'timeout'
  | 'cancelled'
  | 'refused'
  | 'conflict'
  | 'git_failed'
  | 'no_space'
  | 'internal';

/** Exit codes of `ak` (design chapter 3), one per reason. */
const exitCodes: Record<ErrorReason, number> = {
  usage: 2,
  invalid_input: 2,
  not_found: 3,
  not_accessible: 3,
  not_installed: 3,
  not_logged_in: 3,
  wrong_account: 6,
  none_qualifies: 1,
  timeout: 4,
  cancelled: 5,
  refused: 6,
  conflict: 1,
  git_failed: 1,
  no_space: 1,
  internal: 70,
};

/** Marks every error of ours: programs in several files have the class several times. */
const mark = Symbol.for('agentkit.error');

/** The one error type of the product: a typed reason, a message a person can act on, and the cause. */
export class AgentKitError extends Error {
  readonly reason: ErrorReason;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && mark in value;
  }

  constructor(reason: ErrorReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AgentKitError';
    this.reason = reason;
    Object.defineProperty(this, mark, { value: true });
  }

  /** Exit code of `ak` for this error. */
  get exitCode(): number {
    return exitCodes[this.reason];
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
