import { AgentKitError } from '../../../core/agentKitError.ts';
import type { LaunchOptions } from '../agentKind.ts';

/** Pi's own tools that change nothing. */
export const readingTools = 'read,grep,find,ls';

/**
 * Arguments of a headless run; the prompt comes by standard input. Pi never asks before it uses a tool: where it must
 * not act by itself, it gets only the tools that read, and none of other servers.
 */
export function piArguments(options: LaunchOptions): string[] {
  return [
    '-p',
    '--mode',
    'json',
    ...(options.posture === 'auto' ? [] : ['--tools', readingTools, '--no-mcp', '--no-extensions']),
    ...(options.model === undefined ? [] : ['--model', requireValue(options.model, 'the name of a model')]),
    // Sessions belong to the folder they were begun in; `--session` would ask about those of another.
    ...(options.resume === undefined
      ? []
      : ['--session-id', requireValue(options.resume, 'the id of a session')]),
  ];
}

/** What begins with a hyphen would be read as an option. */
export function requireValue(text: string, what: string): string {
  if (!/^[^-\s]/.test(text)) {
    throw new AgentKitError('invalid_input', `"${text}" is not ${what}`);
  }
  return text;
}
