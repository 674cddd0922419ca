import { AgentKitError } from '../core/agentKitError.ts';
import type { AccountDesk, AgentKit } from '../engine/agentKit.ts';

/** What the commands of one `ak` call share. Answers go to stdout, everything for people to stderr. */
export class Session {
  readonly dist: string;
  /** Exit code so far: 0, or 1 for "done, and the answer is no". */
  exitCode = 0;
  /** Set by the command that runs, so that a failure is printed in the form that was asked for. */
  json = false;
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
    const { createAccounts } = await import('../engine/agentKit.ts');
    return createAccounts({ node: process.execPath, dist: this.dist, environment: process.env });
  }

  /** Prints the answer of a command: exactly one object with `--json`, else the text for people. */
  answer(schema: string, value: object, text: string): void {
    if (this.json) this.#print(JSON.stringify({ interface: 1, schema, ...value }));
    else if (text !== '') process.stdout.write(`${text}\n`);
  }

  /** A line for people while something goes on; never on stdout. */
  say(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Prints a failure and gives its exit code. */
  fail(error: unknown): number {
    const known =
      error instanceof AgentKitError
        ? error
        : new AgentKitError('internal', describe(error), { cause: error });
    if (this.json && !this.#answered) {
      this.#print(
        JSON.stringify({
          interface: 1,
          schema: 'error-v1',
          error: { reason: known.reason, message: known.message },
        }),
      );
    } else process.stderr.write(`ak: ${known.message}\n`);
    return known.exitCode;
  }

  async close(): Promise<void> {
    await this.#kit?.dispose();
  }

  #print(line: string): void {
    this.#answered = true;
    process.stdout.write(`${line}\n`);
  }
}

/** A bug shows where it is. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
