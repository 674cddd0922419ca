import { AgentKitError } from '../../../core/agentKitError.ts';
import type { LaunchOptions } from '../agentKind.ts';
import type { UserKindDefinition } from './userKindSchema.ts';

/**
 * The program and its arguments. `{prompt_file}` stays in them for the supervisor, which knows the file. Options stand
 * where `{options}` is, else at the end.
 * @throws AgentKitError `refused` for what the kind is not described to do, `invalid_input` for a value that would be
 *   read as an option
 */
export function userArguments(id: string, definition: UserKindDefinition, options: LaunchOptions): string[] {
  const command = commandOf(id, definition, options.posture);
  const chosen = [
    ...fill(id, 'model', definition.model, options.model),
    ...fill(id, 'resume', definition.resume, options.resume),
  ];
  const at = command.indexOf('{options}');
  return at < 0
    ? [...command, ...chosen]
    : [...command.slice(0, at), ...chosen, ...command.slice(at + 1).filter((word) => word !== '{options}')];
}

function commandOf(id: string, definition: UserKindDefinition, posture: LaunchOptions['posture']): string[] {
  const key = posture === 'auto' ? 'run' : posture === 'ask' ? 'ask' : 'read_only';
  const command = definition[key];
  if (command === undefined) {
    const cannot = posture === 'ask' ? 'ask before it acts' : 'only read';
    throw new AgentKitError(
      'refused',
      `${id} is not described so that it can ${cannot}; add ${key} to its description, or use another kind`,
    );
  }
  return command;
}

function fill(
  id: string,
  key: 'model' | 'resume',
  words: string[] | undefined,
  value: string | undefined,
): string[] {
  if (value === undefined) {
    return [];
  }
  if (words === undefined) {
    const what = key === 'model' ? 'choose a model' : 'go on with a session';
    throw new AgentKitError(
      'refused',
      `${id} is not described so that it can ${what}; add ${key} to its description`,
    );
  }
  if (!/^[^-\s]/.test(value)) {
    throw new AgentKitError('invalid_input', `"${value}" is not a value for ${key}`);
  }
  return words.map((word) => word.replaceAll(/\{(?:model|session)\}/g, () => value));
}
