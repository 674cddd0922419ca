import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { Launch } from './launch.ts';

/** A started process, the leader of its own session and group. */
export interface Child {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the process has ended; its pipes may still be held open by others. */
  ended: Promise<{ exit: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts what a launch says. @throws AgentKitError `not_found` naming what is missing or cannot be started */
export async function startChild(launch: Launch, environment: Record<string, string>): Promise<Child> {
  const [command = '', ...args] = launch.argv;
  requireFolder(launch.cwd);
  const stdin = openStdin(launch.stdin_file);
  try {
    const child = spawn(command, args, {
      cwd: launch.cwd,
      env: environment,
      detached: true,
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
      child.once('exit', (exit, signal) => resolve({ exit, signal }));
    });
    await started(child, command);
    const { pid, stdout, stderr } = child;
    if (pid === undefined || !stdout || !stderr) {
      throw new Error('it has no process id or pipes');
    }
    return { pid, stdout, stderr, ended };
  } catch (error) {
    throw error instanceof AgentKitError ? error : notStarted(command, error);
  } finally {
    if (stdin !== null) {
      closeSync(stdin);
    }
  }
}

function started(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(notStarted(command, error)));
  });
}

function requireFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AgentKitError('not_found', `The folder ${folder} to start it in does not exist`);
  }
}

function openStdin(file: string | null): number | null {
  try {
    return file === null ? null : openSync(file, 'r');
  } catch (error) {
    throw new AgentKitError(
      'not_found',
      `The file for its standard input cannot be read: ${messageOf(error)}`,
    );
  }
}

function notStarted(command: string, error: unknown): AgentKitError {
  const code = (error as NodeJS.ErrnoException).code;
  const cause =
    code === 'ENOENT'
      ? 'there is no such program'
      : code === 'EACCES'
        ? 'it is not executable'
        : messageOf(error);
  return new AgentKitError('not_found', `${command} cannot be started: ${cause}`, { cause: error });
}
