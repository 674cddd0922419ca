import { Command, CommanderError } from 'commander';
import { AgentKitError } from '../core/agentKitError.ts';
import { addAccountCommands } from './commands/accounts.ts';
import { addLaneCommands } from './commands/lane.ts';
import { addOrchestrateCommands } from './commands/orchestrate.ts';
import { addPlanCommands } from './commands/plan.ts';
import { Session } from './session.ts';

declare const AGENTKIT_VERSION: string;

const examples = `
A first run:
  ak plan new plans/first.yaml "Describe a piece of work"    write a plan, then give its jobs their paths
  ak plan check plans/first.yaml                             who would do what, and what will judge it
  ak orchestrate start plans/first.yaml --yes                run it until a person has to decide
  ak lane merge LANE                                         merge a lane whose gate passed

Exit codes: 0 done, 1 the answer is no, 2 wrong input, 3 something is missing, 4 timeout, 5 cancelled,
6 refused by a safety rule, 70 a bug. With --json there is exactly one object on stdout, also on failure.
`;

/** Runs one command line of `ak` and gives its exit code (design chapter 3). */
export async function runCli(argv: readonly string[]): Promise<number> {
  const session = new Session(__dirname);
  session.json = argv.includes('--json');
  let shown = '';
  const program = new Command('ak')
    .description(
      'AgentKit: several coding agents on one repository, each in a worktree of its own, merged only when the gate passes.',
    )
    .version(AGENTKIT_VERSION)
    .addHelpText('after', examples)
    .exitOverride()
    .showHelpAfterError('(see ak --help)')
    .configureOutput({
      writeOut: (text) => {
        if (session.json) shown += text;
        else process.stdout.write(text);
      },
      outputError: (text, write) => (session.json ? undefined : write(text)),
    });
  for (const add of [addAccountCommands, addPlanCommands, addOrchestrateCommands, addLaneCommands])
    add(program, session);
  try {
    const done = program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
    await Promise.race([done, session.interrupts.givesUp()]);
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return await usageExit(session, error, shown);
    return await session.fail(error);
  } finally {
    await session.close();
  }
}

/** Commander has printed its text already, or collected it for JSON; help and version end with 0, a wrong command line with 2. */
async function usageExit(session: Session, error: CommanderError, shown: string): Promise<number> {
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
