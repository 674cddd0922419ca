import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMarked } from '../../../scripts/leftovers.mjs';
import type { AgentRunAnswer } from '../../../src/engine/createAgentRuns.ts';
import { recorded } from '../agents/claude/recorded.ts';
import { StandInClaude, type StandInAnswers, type StandInCall } from '../agents/claude/standInClaude.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';
import { kill, poll } from '../process/stepFixture.ts';
import { answerOf, beginAk, type Ended, type Working } from './akProcess.ts';

export interface CallOptions {
  input?: string | Buffer;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/**
 * A machine with accounts of Claude Code, and a stand-in for its CLI that replays recorded streams: no AI. The built
 * `ak` is called as a shell would.
 */
export class RunWorld extends DemoWorld {
  readonly standIn = new StandInClaude(this.root);
  readonly home = join(this.root, 'home');

  constructor() {
    super(['one', 'two']);
    mkdirSync(this.home);
    for (const name of ['work', 'other']) this.account(name);
    this.environment['PATH'] = `${this.standIn.folder}:${process.env['PATH']}`;
    // As root, agents work without asking only where the person says that it is a sandbox.
    this.environment['IS_SANDBOX'] = '1';
    this.answer({});
  }

  account(name: string): void {
    mkdirSync(this.profile(name), { recursive: true, mode: 0o700 });
  }

  /** Folder of a profile of Claude Code. */
  profile(name: string): string {
    return join(this.root, 'profiles', 'claude', name);
  }

  /** What the CLI does from now on; a good run under a login that is in order, unless told otherwise. */
  answer(answers: StandInAnswers): void {
    this.standIn.answer({
      version: '2.1.332 (Claude Code)',
      // Each profile is a login of its own.
      status: recorded('status-plan.json')
        .replace('"loggedIn":true', '"loggedIn": true')
        .replace(/("email": ?")[^"@]*/, '$1{profile}'),
      usage: recorded('usage-limits.jsonl').replaceAll('2026-', '2099-'),
      run: recorded('success.jsonl'),
      ...answers,
    });
  }

  /** Calls of the CLI that sent a prompt. */
  prompts(): StandInCall[] {
    return this.standIn
      .calls()
      .filter(({ args }) => args.includes('--print') && !args.includes('--input-format=stream-json'));
  }

  begin(args: readonly string[], { input, env = {}, cwd = this.repo }: CallOptions = {}): Working {
    return beginAk(args, { cwd, env: { ...this.environment, ...env }, input });
  }

  ak(args: readonly string[], options?: CallOptions): Promise<Ended> {
    return this.begin(args, options).ended;
  }

  /** The one object that `ak run … --json` printed, whatever happened. */
  async run(args: readonly string[], options?: CallOptions): Promise<AgentRunAnswer> {
    return answerOf(await this.ak(['run', '--json', ...args], options));
  }

  /** Everything that lives and was started in this world. */
  processes(): { pid: number; command: string }[] {
    return findMarked(`HOME=${this.home}`);
  }

  async quiet(): Promise<void> {
    await poll('the end of all processes', 15_000, () => (this.processes().length === 0 ? true : undefined));
  }

  /** Id of a process that the CLI wrote into a file of the repository. */
  async pidIn(file: string): Promise<number> {
    return poll(`a process id in ${file}`, 20_000, () => Number(read(join(this.repo, file))) || undefined);
  }

  override async dispose(): Promise<void> {
    this.processes().forEach(({ pid }) => kill(pid));
    await super.dispose();
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
