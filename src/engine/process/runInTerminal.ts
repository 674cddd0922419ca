import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';

export interface TerminalProgram {
  argv: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Called once it runs, with its process id. */
  onStarted: (pid: number) => Promise<void>;
}

/** A program that outlives its terminal for longer than this, in milliseconds, is ended. */
const graceMs = 5_000;

/**
 * Gives this process's terminal to a program until it ends. Keys that make signals reach the program from the terminal
 * itself, so here they are passed over; a signal that is meant for this process is handed on.
 * @returns its exit code, or as a shell counts it, 128 and the signal that ended it
 * @throws AgentKitError `not_found` when it cannot be started
 */
export async function runInTerminal(program: TerminalProgram): Promise<number> {
  const [command = '', ...args] = program.argv;
  const child = spawn(command, args, { cwd: program.cwd, env: program.environment, stdio: 'inherit' });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new AgentKitError('not_found', `${command} cannot be started: ${messageOf(error)}`, { cause: error }),
      ),
    );
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  let timer: NodeJS.Timeout | undefined;
  const handlers: [NodeJS.Signals, () => void][] = [
    ['SIGINT', () => undefined],
    ['SIGQUIT', () => undefined],
    ['SIGTERM', () => child.kill('SIGTERM')],
    [
      'SIGHUP',
      () => {
        child.kill('SIGHUP');
        timer ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
      },
    ],
  ];
  for (const [name, handler] of handlers) process.on(name, handler);
  try {
    const started = child.pid === undefined ? ended : program.onStarted(child.pid);
    await started.catch((error: unknown) => {
      // One that has ended meanwhile needs nothing more.
      if (child.exitCode === null && child.signalCode === null) throw error;
    });
    return await ended;
  } catch (error) {
    child.kill('SIGTERM');
    throw error;
  } finally {
    clearTimeout(timer);
    for (const [name, handler] of handlers) process.off(name, handler);
  }
}
