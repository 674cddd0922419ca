import { constants } from 'node:os';
import { describeRefusal } from '../../core/accounts/refusal.ts';
import type { AgentKitError } from '../../core/agentKitError.ts';
import type { StepResult } from '../process/launch.ts';
import type { AgentRunAnswer } from './agentRun.ts';

/** What is known of a run whatever becomes of it. */
export type RunFacts = Pick<AgentRunAnswer, 'kind' | 'profile' | 'cwd' | 'run_folder'>;

/** The answer of a run that its supervisor has brought to an end. */
export function toAnswer(facts: RunFacts, result: StepResult): AgentRunAnswer {
  const { session_id, limit, refused, usage, denied, strays } = result;
  const failure = failureOf(facts, result);
  return {
    ...facts,
    exit: failure?.exit ?? 0,
    duration_s: result.duration_s,
    result_text: result.result_text ?? '',
    cli_exit: result.exit ?? exitOfSignal(result.signal),
    truncated: result.truncated,
    ...(session_id !== undefined && { session_id }),
    ...(limit && { limit }),
    ...(refused && { refused }),
    ...(usage && { usage }),
    ...(denied && { denied }),
    ...(strays && { strays }),
    ...(failure && { error: failure.error }),
  };
}

/** The answer of a run that came to nothing, or was not waited for. */
export function unendedAnswer(facts: RunFacts, error: AgentKitError, durationS: number): AgentRunAnswer {
  const { reason, message, exitCode } = error;
  return {
    ...facts,
    exit: exitCode,
    duration_s: durationS,
    result_text: '',
    cli_exit: null,
    truncated: false,
    error: { reason, message },
  };
}

interface Failure {
  exit: number;
  error: NonNullable<AgentRunAnswer['error']>;
}

function failureOf(facts: RunFacts, result: StepResult): Failure | undefined {
  const told = describeRefusal(`${facts.kind}/${facts.profile ?? ''}`, result);
  const message = [told, result.message ?? 'The agent failed'].filter(Boolean).join('; ');
  switch (result.outcome) {
    case 'succeeded':
      return undefined;
    case 'timeout':
      return { exit: 4, error: { reason: 'timeout', message } };
    case 'stopped':
      return { exit: 5, error: { reason: 'cancelled', message } };
    case 'failed':
      if (result.not_started) return { exit: 3, error: { reason: 'not_installed', message } };
      if (result.refused?.reason === 'not_logged_in')
        return { exit: 3, error: { reason: 'not_logged_in', message } };
      if (result.refused?.reason === 'trust') {
        const cure = `trust it for this account: ak run ${facts.kind} ${facts.profile ?? ''} --trust-cwd …`;
        return { exit: 6, error: { reason: 'refused', message: `${message}; ${cure}` } };
      }
      return { exit: 1, error: { reason: 'failed', message } };
  }
}

/** As shells tell it. */
function exitOfSignal(signal: string | undefined): number | null {
  const number = signal === undefined ? undefined : constants.signals[signal as NodeJS.Signals];
  return number === undefined ? null : 128 + number;
}
