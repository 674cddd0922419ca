import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { atExit } from '../process/atExit.ts';
import { spawnTurn } from '../process/spawnTurn.ts';
import { gitEnvironment, hookEnvironment } from './gitEnvironment.ts';
import { isLockHeld, retryWhile } from './retryWhile.ts';

export interface GitOptions {
  /** Bytes for git's standard input; a function gives them piece by piece, anew for each attempt. */
  input?: Buffer | string | (() => AsyncIterable<Buffer>);
  /** Takes git's output as it comes; `stdout` of the result is then empty. What it throws ends git and is thrown. */
  consume?: (output: AsyncIterable<Buffer>) => Promise<void>;
  env?: Record<string, string>;
  /** Exit codes that are an answer; any other is thrown. Only 0 when left out. */
  okCodes?: readonly number[];
  /** Runs the repository's hooks, in the user's environment. Off when left out. */
  hooks?: boolean;
  /** Lets git look for the repository above `cwd`. Off when left out: a lane whose `.git` is gone is not its parent. */
  discover?: boolean;
  /** Ends git and whatever it started after this time. None when left out: a checkout takes as long as it takes. */
  timeoutMs?: number;
  /** Settings of this call, as `core.name=value`. */
  settings?: readonly string[];
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  /** The last 64 KiB. */
  stderr: string;
}

/** Settings of every call: no programs that the repository names, no surprise maintenance, no submodule side effects. */
const always = [
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'log.showSignature=false',
];

const stderrLimit = 64 * 1024;
/** Characters of its last words that tell why git did not end. */
const wordsShown = 2000;
/** How long output is still read when git has ended but something it started keeps the pipe open. */
const lingerMs = 500;
const graceMs = 2000;

/**
 * Runs git with an argument array. A lock of git's own that is held for a moment is waited for.
 * @throws AgentKitError `not_found` when `cwd` is gone, `not_installed`, `timeout`, or `git_failed` with git's own words
 */
export async function git(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  const okCodes = options.okCodes ?? [0];
  const call = () => runOnce(cwd, args, options);
  const result = await retryWhile(call, ({ code, stderr }) => !okCodes.includes(code) && isLockHeld(stderr));
  if (!okCodes.includes(result.code)) {
    const words = result.stderr.trim() || 'it said nothing';
    throw new AgentKitError(
      'git_failed',
      `git ${args[0]} failed in ${cwd} with exit ${result.code}: ${words}`,
    );
  }
  return result;
}

/** As `git`, with the output as text without its final line end. */
export async function gitText(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const { stdout } = await git(cwd, args, options);
  return stdout.toString('utf8').replace(/\n$/, '');
}

async function runOnce(cwd: string, args: readonly string[], options: GitOptions): Promise<GitResult> {
  if (!(await isFolder(cwd))) {
    throw new AgentKitError('not_found', `There is no folder ${cwd}`);
  }
  const hooks = options.hooks ? [] : ['core.hooksPath=/dev/null'];
  const config = [...hooks, ...always, ...(options.settings ?? [])];
  const env = options.hooks ? hookEnvironment(process.env) : gitEnvironment(process.env);
  const ceiling = options.discover ? {} : { GIT_CEILING_DIRECTORIES: dirname(cwd) };
  await spawnTurn();
  const child = spawn('git', [...config.flatMap((setting) => ['-c', setting]), ...args], {
    cwd,
    env: { ...env, ...ceiling, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that a hook that never ends can be ended with all it started.
    detached: options.timeoutMs !== undefined,
  });
  let timedOut = false;
  let words = '';
  child.stderr.on(
    'data',
    (chunk: Buffer) => (words = `${words}${chunk.toString('utf8')}`.slice(-wordsShown)),
  );
  const stop = () => {
    timedOut = true;
    // Asked first, git takes its lock files along.
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref();
  };
  // Being in a group of its own it would outlive us.
  const forget = options.timeoutMs === undefined ? undefined : atExit(() => signalGroup(child, 'SIGKILL'));
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(stop, options.timeoutMs);
  try {
    const result = await collect(child, args, options);
    if (!timedOut) return result;
  } catch (error) {
    if (!timedOut) throw error;
  } finally {
    clearTimeout(timer);
    forget?.();
  }
  const seconds = (options.timeoutMs ?? 0) / 1000;
  throw new AgentKitError(
    'timeout',
    `git ${args[0]} in ${cwd} had not ended after ${seconds} s and was stopped${words.trim() === '' ? '' : `; it said: ${words.trim()}`}`,
  );
}

async function collect(
  child: ChildProcessWithoutNullStreams,
  args: readonly string[],
  options: GitOptions,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    let stderr = Buffer.alloc(0);
    const fail = (error: Error) => {
      reject(error);
      child.kill();
    };
    const taken = options.consume?.(child.stdout);
    if (taken) taken.catch(fail);
    else child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on(
      'data',
      (chunk: Buffer) => (stderr = Buffer.concat([stderr, chunk]).subarray(-stderrLimit)),
    );
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? notInstalled(error) : error),
    );
    child.once('exit', () => {
      // A hook may leave a process behind that keeps our pipes open.
      if (!options.hooks) return;
      setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), lingerMs).unref();
    });
    child.once('close', (code, signal) => {
      if (code === null) reject(new AgentKitError('git_failed', `git ${args[0]} was ended by ${signal}`));
      else {
        const result = { code, stdout: Buffer.concat(stdout), stderr: stderr.toString('utf8') };
        Promise.resolve(taken).then(() => resolve(result), reject);
      }
    });
    // Git may end before it has read everything; its exit code then says why.
    child.stdin.on('error', () => undefined);
    if (typeof options.input === 'function') {
      const source = Readable.from(options.input());
      // What git did not read ends the source too, with the error of the pipe.
      source.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') fail(error);
      });
      pipeline(source, child.stdin).catch(() => undefined);
    } else child.stdin.end(options.input ?? '');
  });
}

/** The group may have ended in this moment, which is what was wanted. */
function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    return;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function notInstalled(cause: Error): AgentKitError {
  return new AgentKitError('not_installed', 'git was not found on PATH; install git 2.38 or newer', {
    cause,
  });
}
