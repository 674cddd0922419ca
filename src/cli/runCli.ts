import { type Command, CommanderError } from 'commander';
import { AgentKitError } from '../core/agentKitError.ts';
import { missingBelow, requireCommandBelow } from './commandBelow.ts';
import { commandTable } from './commandTable.ts';
import { createProgram } from './createProgram.ts';
import { runSession } from './runSession.ts';
import { Session } from './session.ts';
import { asksForJson, splitCommandLine, type CommandLine } from './splitCommandLine.ts';
import { writeOut } from './writeOut.ts';

/** Written into the bundle by the build. */
declare const AGENTKIT_VERSION: string;

/**
 * Runs one command line of `ak` and gives its exit code (design chapter 3).
 *
 * @param dist Folder of the bundles.
 */
export async function runCli(argv: readonly string[], dist: string): Promise<number> {
  const session = new Session(dist);
  const line = splitCommandLine(argv);
  session.json = asksForJson(line);
  session.behind = line.behind;
  let shown = '';
  const program = createProgram(AGENTKIT_VERSION, {
    out: (text) => {
      if (session.json) shown += text;
      else writeOut(text);
    },
    error: (text, write) => (session.json ? undefined : write(text)),
  });
  const work = async () => {
    if (isBare(line)) return (await import('./commands/overview.ts')).overview(session, AGENTKIT_VERSION);
    await fillCalled(program, line, session);
    await program.parseAsync(argv, { from: 'user' });
  };
  const fail = (error: unknown) =>
    error instanceof CommanderError
      ? usageExit(session, leftOut(program, line, error) ?? error, shown)
      : session.fail(error);
  return runSession(session, work, fail);
}

/** Whether there is no word but the wish for JSON. */
function isBare({ before, behind }: CommandLine): boolean {
  return behind === undefined && before.every((word) => word === '--json');
}

/** Loads the command that is called, where a kind of agent is one too; `ak help COMMAND` calls it as well. */
async function fillCalled(program: Command, line: CommandLine, session: Session): Promise<void> {
  const words = wordsOf(line);
  const name = words[0] === 'help' ? words[1] : words[0];
  const row = commandTable.find((each) => each.name === name);
  const command = program.commands.find((each) => each.name() === name);
  if (row && command) {
    (await row.load())(command, session);
    if (words[0] !== 'help') requireCommandBelow(command, words[1]);
  } else if (name !== undefined)
    await (await import('./commands/screen.ts')).addScreen(program, name, session);
  // The parser itself would show its help as an error.
  if (words[0] === 'help' && name !== undefined && !program.commands.some((each) => each.name() === name))
    throw new AgentKitError('usage', `There is no command "${name}"; ak --help lists them`);
}

/** Words that are no options. */
function wordsOf({ before }: CommandLine): string[] {
  return before.filter((each) => !each.startsWith('-'));
}

/** What the parser means by knowing no `--json`; undefined where it means that. */
function leftOut(
  program: Command,
  line: CommandLine,
  { code, message }: CommanderError,
): AgentKitError | undefined {
  const [name, word] = wordsOf(line);
  const command = program.commands.find((each) => each.name() === name);
  if (code !== 'commander.unknownOption' || !message.includes("'--json'") || !command) return undefined;
  return missingBelow(command, word);
}

/** Commander has printed its text already, or collected it for JSON; help and version end with 0, a wrong command line with 2. */
async function usageExit(
  session: Session,
  error: CommanderError | AgentKitError,
  shown: string,
): Promise<number> {
  if (error instanceof AgentKitError) return session.fail(error);
  if (error.exitCode === 0) {
    const isVersion = error.code === 'commander.version';
    if (!session.json) return 0;
    if (isVersion) session.answer('version-v1', { version: shown.trim() }, '');
    else session.answer('help-v1', { text: shown }, '');
    return 0;
  }
  if (session.json) await session.fail(new AgentKitError('usage', error.message.replace(/^error: /, '')));
  return 2;
}
