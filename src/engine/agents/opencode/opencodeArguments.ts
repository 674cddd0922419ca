import { AgentKitError } from '../../../core/agentKitError.ts';
import type { LaunchOptions } from '../agentKind.ts';
import { readingAgent, usualAgent } from './opencodePosture.ts';

/**
 * Arguments of a headless run; the prompt comes by standard input. What it asks for is refused there, as nobody can
 * answer. Its log, of errors only, is the one place that tells of a vendor that makes it wait.
 */
export function opencodeArguments(options: LaunchOptions): string[] {
  return [
    'run',
    '--format',
    'json',
    '--print-logs',
    '--log-level',
    'ERROR',
    ...(options.posture === 'auto' ? ['--auto'] : []),
    ...(options.posture === 'ask' ? ['--agent', usualAgent] : []),
    ...(options.posture === 'read-only' ? ['--agent', readingAgent] : []),
    ...(options.model === undefined ? [] : ['--model', requireValue(options.model, 'the name of a model')]),
    ...(options.resume === undefined
      ? []
      : ['--session', requireValue(options.resume, 'the id of a session')]),
  ];
}

/** What begins with a hyphen would be read as an option. */
export function requireValue(text: string, what: string): string {
  if (!/^[^-\s]/.test(text)) {
    throw new AgentKitError('invalid_input', `"${text}" is not ${what}`);
  }
  return text;
}
