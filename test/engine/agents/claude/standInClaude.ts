import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the stand-in answers; what is left out it answers with nothing, and ends. */
export interface StandInAnswers {
  /** Printed by `--version`. */
  version?: string;
  /** Printed by `auth status`, which tells by its exit code whether somebody is logged in; `{profile}` is filled in. */
  status?: string;
  /** Lines that it prints once it was asked for the quota. */
  usage?: string;
  /** Lines of a run, printed once the prompt has been read. */
  run?: string;
  exit?: number;
  /** File in the working folder that a run writes. */
  writes?: string;
  /** Code that runs before anything else. */
  first?: string;
  /** Code that a run does in place of printing its lines. */
  during?: string;
}

/** One call of it. */
export interface StandInCall {
  args: string[];
  cwd: string;
  /** Names of what lies in its working folder. */
  entries: string[];
  configFolder: string | null;
  vendorVariables: string[];
  /** Whether standard input was still open when it answered. */
  open?: boolean;
  prompt?: string;
}

/**
 * A program `claude` that stands in for Claude Code: no AI, it replays recorded answers and notes how it was called.
 * It is found on PATH in `folder`.
 */
export class StandInClaude {
  readonly folder: string;
  readonly #calls: string;
  readonly #answers: string;

  constructor(root: string) {
    this.folder = join(root, 'stand-in for claude');
    this.#calls = join(this.folder, 'calls.jsonl');
    this.#answers = join(this.folder, 'answers.json');
    mkdirSync(this.folder, { recursive: true });
    const program = join(this.folder, 'claude');
    const files = JSON.stringify({ calls: this.#calls, answers: this.#answers });
    writeFileSync(program, `#!${process.execPath}\n(${String(standIn)})(${files});\n`);
    chmodSync(program, 0o755);
  }

  answer(answers: StandInAnswers): void {
    writeFileSync(this.#answers, JSON.stringify(answers));
  }

  /** How it was called so far. */
  calls(): StandInCall[] {
    const text = existsSync(this.#calls) ? readFileSync(this.#calls, 'utf8') : '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as StandInCall);
  }
}

/** The program itself; it is written out as text and so uses nothing from around it. */
function standIn(files: { calls: string; answers: string }): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const fs = require('node:fs') as typeof import('node:fs');
  const answers = JSON.parse(fs.readFileSync(files.answers, 'utf8')) as StandInAnswers;
  const args = process.argv.slice(2);
  const call: StandInCall = {
    args,
    cwd: process.cwd(),
    entries: fs.readdirSync('.'),
    configFolder: process.env['CLAUDE_CONFIG_DIR'] ?? null,
    vendorVariables: Object.keys(process.env).filter((name) => /^(ANTHROPIC|CLAUDE)/.test(name)),
  };
  const note = () => fs.appendFileSync(files.calls, `${JSON.stringify(call)}\n`);
  if (answers.first !== undefined) eval(answers.first);
  if (args[0] === '--version') {
    note();
    console.log(answers.version ?? '');
  } else if (args[0] === 'auth') {
    note();
    const profile = (call.configFolder ?? '').replace(/^.*\//, '');
    console.log((answers.status ?? '').replaceAll('{profile}', profile));
    process.exitCode = /"loggedIn": true/.test(answers.status ?? '') ? 0 : 1;
  } else if (args.includes('--input-format=stream-json')) {
    process.stdin.once('data', (data) => {
      call.open = !process.stdin.readableEnded;
      call.prompt = String(data);
      note();
      process.stdout.write(answers.usage ?? '');
    });
  } else {
    call.prompt = fs.readFileSync(0, 'utf8');
    note();
    if (answers.writes !== undefined) fs.writeFileSync(answers.writes, `${answers.writes}\n`);
    if (answers.during !== undefined) {
      eval(answers.during);
      return;
    }
    process.stdout.write(answers.run ?? '');
    process.exitCode = answers.exit ?? 0;
  }
}
