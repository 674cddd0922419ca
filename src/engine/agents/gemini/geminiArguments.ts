import { AgentKitError } from '../../../core/agentKitError.ts';
import type { LaunchOptions } from '../agentKind.ts';

/**
 * Arguments of a headless run; the prompt comes by standard input. `--skip-trust` is never among them: a folder is
 * trusted by its path in the profile, or Gemini does not start. The mode `plan` is no mode for reading: without a
 * person there its agent leaves it by a tool of its own and then writes. `policy` is the file of rules that shut that
 * way, where the agent must not act by itself.
 */
export function geminiArguments(options: LaunchOptions, policy: string | null): string[] {
  return [
    '--output-format',
    'stream-json',
    '--approval-mode',
    options.posture === 'auto' ? 'yolo' : 'default',
    // As rules of the person's own they would take the place of theirs.
    ...(policy === null ? [] : ['--admin-policy', policy]),
    ...(options.model === undefined ? [] : ['--model', requireValue(options.model, 'the name of a model')]),
    ...(options.resume === undefined
      ? []
      : ['--resume', requireValue(options.resume, 'the id of a session')]),
  ];
}

/** What begins with a hyphen would be read as an option. */
export function requireValue(text: string, what: string): string {
  if (!/^[^-\s]/.test(text)) {
    throw new AgentKitError('invalid_input', `"${text}" is not ${what}`);
  }
  return text;
}
