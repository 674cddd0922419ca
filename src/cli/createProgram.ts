import { Command } from 'commander';
import { commandTable } from './commandTable.ts';

const examples = `
Accounts, and the agents that work under them:
  ak                                                         which agents are here, and what to do next
  ak doctor                                                  what is wrong, and the command that cures it
  ak profiles add claude @work                               another account, which you then log in to
  ak claude @work [--ask] [-c | -r [ID]] [-- ARGS…]          the vendor's own screen under it; so for every kind
  ak run codex @work -- "Explain the tests"                  one agent to its end, with nobody to ask

A first run:
  ak plan new plans/first.yaml "Describe a piece of work"    write a plan, then give its jobs their paths
  ak plan check plans/first.yaml                             who would do what, and what will judge it
  ak orchestrate start plans/first.yaml --yes                run it until a person has to decide
  ak lane merge LANE                                         merge a lane whose gate passed

Exit codes: 0 done, 1 the answer is no, 2 wrong input, 3 something is missing, 4 timeout, 5 cancelled,
6 refused by a safety rule, 70 a bug. With --json there is exactly one object on stdout, also on failure.
`;

/** What a command line prints, by where it goes; `error` is the text of a wrong command line. */
export interface ProgramOutput {
  out: (text: string) => void;
  error: (text: string, write: (text: string) => void) => void;
}

/** The command line of `ak` with every command by its name; what each takes is filled in when it is called. */
export function createProgram(version: string, { out, error }: ProgramOutput): Command {
  const program = new Command('ak')
    .description(
      'AgentKit: several coding agents on one repository, each in a worktree of its own, merged only when the gate passes.',
    )
    .version(version)
    .addHelpText('after', examples)
    .exitOverride()
    .showHelpAfterError('(see ak --help)')
    .configureOutput({ writeOut: out, outputError: error });
  for (const { name, description } of commandTable) program.command(name).description(description);
  // Of `ak` itself only: its help is written into the bundle, for terminals of any width.
  return program.configureHelp({ helpWidth: 80 });
}

/** The help of `ak` itself. */
export function helpOfAk(): string {
  let help = '';
  const output = { out: (text: string) => (help += text), error: () => undefined };
  createProgram('', output).outputHelp();
  return help;
}
