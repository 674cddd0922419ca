import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { redact } from '../../core/safety/redact.ts';
import { atExit } from './atExit.ts';
import { withheldNames } from './childEnvironment.ts';
import { LineSplitter } from './lineSplitter.ts';
import { secretValues } from './secretValues.ts';
import { spawnTurn } from './spawnTurn.ts';

export interface Question {
  argv: readonly string[];
  /** Environment of the caller; vendors' variables in it do not reach the CLI. */
  inherited: Readonly<Record<string, string | undefined>>;
  /** What selects the profile. */
  env: Readonly<Record<string, string>>;
  /** Written to standard input, which then stays open until `isAnswer` has said yes; without it there is none. */
  input?: string;
  /** Whether a line is what was waited for; nothing is read after it. */
  isAnswer?: (line: string) => boolean;
  timeoutMs?: number;
}

/** What a CLI printed, without the secrets that were in it. */
export interface CliAnswer {
  lines: string[];
  /** Last line of the error stream that is not empty. */
  error: string;
  /** Null when a signal ended it. */
  exit: number | null;
  timedOut: boolean;
}

/** More than any answer; a CLI that prints more is stopped. */
const maxBytes = 8 * 1024 * 1024;
const maxErrorLine = 16 * 1024;
const answerMs = 20_000;
/** How long it may take to end by itself once it has answered, and after SIGTERM. */
const graceMs = 3_000;
/** How long its pipes may stay open once it has ended. */
const drainMs = 500;

/**
 * Asks a vendor's CLI something about an account. It runs in an empty private folder, so that no project's settings
 * and hooks take part, and in a group of its own that is ended with it, and with this process. @throws when it cannot be started
 */
export async function askCli(question: Question): Promise<CliAnswer> {
  const folder = await mkdtemp(join(tmpdir(), 'agentkit-ask-'));
  try {
    return await ask(question, folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function ask(question: Question, folder: string): Promise<CliAnswer> {
  const [command = '', ...args] = question.argv;
  await spawnTurn();
  const child = spawn(command, args, {
    cwd: folder,
    env: environmentOf(question),
    detached: true,
    stdio: [question.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const forget = atExit(() => {
    signalGroup(child.pid, 'SIGKILL');
    removeNow(folder);
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const timers: NodeJS.Timeout[] = [];
  const endAfter = (ms: number) => {
    timers.push(setTimeout(() => signalGroup(child.pid, 'SIGTERM'), ms));
    timers.push(setTimeout(() => signalGroup(child.pid, 'SIGKILL'), ms + graceMs));
  };
  const secrets = secretValues({ ...question.inherited, ...question.env });
  const lines: string[] = [];
  let [error, room, done, timedOut] = ['', maxBytes, false, false];
  const take = (printed: string) => {
    if (done) return;
    const line = redact(printed, secrets);
    lines.push(line);
    done = question.isAnswer?.(line) === true;
    if (done) {
      child.stdin?.end();
      endAfter(graceMs);
    }
  };
  child.stdout?.on('data', (chunk: Uint8Array) => {
    room -= chunk.length;
    if (room >= 0 || done) return;
    done = true;
    endAfter(0);
  });
  read(child.stdout, new LineSplitter(maxBytes), take);
  read(
    child.stderr,
    new LineSplitter(maxErrorLine),
    (line) => (error = redact(line.trim(), secrets) || error),
  );
  // One that ends without reading its input tells why on its other streams.
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(question.input ?? '');
  timers.push(setTimeout(() => (timedOut = !done), question.timeoutMs ?? answerMs));
  endAfter(question.timeoutMs ?? answerMs);
  try {
    const exit = await exited;
    signalGroup(child.pid, 'SIGKILL');
    await Promise.race([closed, wait(drainMs)]);
    return { lines, error, exit, timedOut };
  } finally {
    forget();
    timers.forEach((timer) => clearTimeout(timer));
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function read(stream: Readable | null, splitter: LineSplitter, take: (line: string) => void): void {
  stream?.on('data', (chunk: Uint8Array) => splitter.push(chunk).forEach(take));
  stream?.once('end', () => splitter.end().forEach(take));
}

function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // This process ends; an empty folder for temporary files is all that is left.
  }
}

/** Only the group that we started ourselves. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

function environmentOf({ inherited, env }: Question): Record<string, string | undefined> {
  const withheld = new Set(withheldNames(inherited));
  return { ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !withheld.has(name))), ...env };
}
