import { AgentKitError, messageOf } from '../core/agentKitError.ts';
import type { AgentKit } from '../engine/agentKit.ts';
import type { AccountDesk } from '../engine/createAccounts.ts';
import type { Machine } from '../engine/createMachine.ts';
import { Interrupts } from './interrupts.ts';
import { jsonLine } from './jsonLine.ts';
import { knownError } from './knownError.ts';
import { printable } from './printable.ts';
import { writeOut } from './writeOut.ts';

/** What the commands of one `ak` call share. Answers go to stdout, everything for people to stderr. */
export class Session {
  readonly dist: string;
  readonly interrupts = new Interrupts();
  /** Exit code so far: 0, or 1 for "done, and the answer is no". */
  exitCode = 0;
  /** Set by the command that runs, so that a failure is printed in the form that was asked for. */
  json = false;
  /** Words of the command line behind `--`. */
  behind: readonly string[] | undefined;
  #kit: AgentKit | undefined;
  #answered = false;

  constructor(dist: string) {
    this.dist = dist;
  }

  /** The facade on the repository of the current folder. */
  async kit(): Promise<AgentKit> {
    const { createAgentKit } = await import('../engine/agentKit.ts');
    this.#kit ??= await createAgentKit({
      folder: process.cwd(),
      head: 'ak',
      node: process.execPath,
      dist: this.dist,
      environment: process.env,
    });
    return this.#kit;
  }

  /** The accounts of this machine; no repository is needed. */
  async accounts(): Promise<AccountDesk> {
    const { createAccounts } = await import('../engine/createAccounts.ts');
    return createAccounts({ node: process.execPath, dist: this.dist, environment: process.env });
  }

  /** The same with the kinds that the repository of the current folder describes, for who means one or lists all. */
  async accountsHere(kind?: string): Promise<AccountDesk> {
    const { createAccountsIn } = await import('../engine/createAccounts.ts');
    const options = { node: process.execPath, dist: this.dist, environment: process.env };
    return createAccountsIn(process.cwd(), kind, options);
  }

  /** What holds on this machine for its person; no repository is needed. */
  async machine(): Promise<Machine> {
    const { createMachine } = await import('../engine/createMachine.ts');
    return createMachine({ node: process.execPath, dist: this.dist, environment: process.env });
  }

  /**
   * Prints the answer of a command: exactly one object with `--json`, else the text for people; words and times of the
   * person's language take long to load, so the text of a command that must be quick is made only when it is printed.
   */
  answer(schema: string, value: object, text: string | (() => string)): void {
    if (this.json) return this.#print(schema, value);
    const shown = typeof text === 'string' ? text : text();
    if (shown !== '') writeOut(`${printable(shown)}\n`);
  }

  /** A line for people while something goes on; never on stdout. */
  say(line: string): void {
    process.stderr.write(`${printable(line)}\n`);
  }

  /** Prints a failure and gives its exit code. */
  async fail(error: unknown): Promise<number> {
    const known = knownError(error) ?? (await bug(error));
    if (this.json && !this.#answered) {
      const { reason, message } = known;
      this.#print('error-v1', { error: { reason, message } });
    } else this.say(`ak: ${known.message}`);
    return known.exitCode;
  }

  async close(): Promise<void> {
    await this.#kit?.dispose();
    this.interrupts.release();
  }

  #print(schema: string, value: object): void {
    this.#answered = true;
    writeOut(jsonLine(schema, value));
  }
}

/** What is nobody's fault but ours: one line, and where it is in a file. */
async function bug(error: unknown): Promise<AgentKitError> {
  const { writeBugLog } = await import('../engine/agentKit.ts');
  const file = writeBugLog(error, process.env);
  const where = file === undefined ? 'no log of it could be written' : `its log is ${file}`;
  const [line] = messageOf(error).split('\n', 1);
  return new AgentKitError('internal', `${line} This is a bug of ak; ${where}.`, { cause: error });
}
