import { withheldNames } from '../process/childEnvironment.ts';
import type { Launch } from '../process/launch.ts';

export interface SetupRequest {
  role: 'setup' | 'teardown';
  /** Command line of the repository's own; it was shown and allowed before the start. */
  command: string;
  /** The lane's worktree. */
  cwd: string;
  /** By variable. */
  ports: Readonly<Record<string, number>>;
  /** What every process of the lane is known by. */
  marks: Readonly<Record<string, string>>;
  /** What is inherited from. */
  environment: Readonly<Record<string, string | undefined>>;
  /** What the person keeps from everything. */
  deny: readonly string[];
  timeoutS: number;
}

/** One command of a lane's setup or teardown, as a step: without anybody's keys, and without anybody to ask. */
export function setupLaunch(request: SetupRequest): Launch {
  const { role, command, cwd, ports, marks, environment, deny, timeoutS } = request;
  return {
    version: 1,
    role,
    argv: ['/bin/sh', '-c', command],
    cwd,
    env: { CI: '1', ...portVariables(ports), ...marks },
    withheld: withheldNames(environment, { deny }),
    stdin_file: null,
    timeout_s: timeoutS,
  };
}

/** The lane's ports as its setup, its checks and its agent get them. */
export function portVariables(ports: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}
