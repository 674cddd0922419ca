import type { Command } from 'commander';
import { AgentKitError } from '../core/agentKitError.ts';

/**
 * Refuses a word that is no command below another, where the parser would count it as one too many for the default one.
 *
 * @param word What stands behind the name of the command.
 * @throws AgentKitError `usage` with those that there are
 */
export function requireCommandBelow(command: Command, word: string | undefined): void {
  if (word === undefined || word === 'help' || isBelow(command, word)) return;
  const listing = command.commands.find((each) => each.name() === 'ls');
  if (listing?.registeredArguments.length === 0)
    throw new AgentKitError(
      'usage',
      `There is no command "${word}" of ${nameOf(command)}; ${choice(command)}`,
    );
}

/** That a command was left out, of which the parser says only that it knows no JSON; undefined where none was. */
export function missingBelow(command: Command, word: string | undefined): AgentKitError | undefined {
  if (command.commands.length === 0 || word !== undefined) return undefined;
  return new AgentKitError('usage', `A command is missing behind ${nameOf(command)}; ${choice(command)}`);
}

function isBelow(command: Command, word: string): boolean {
  return command.commands.some((each) => each.name() === word || each.aliases().includes(word));
}

function nameOf(command: Command): string {
  return `ak ${command.name()}`;
}

function choice(command: Command): string {
  return `it has ${command.commands.map((each) => each.name()).join(', ')}`;
}
