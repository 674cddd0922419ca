import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { attemptMark, stepMark } from './attemptMark.ts';
import { ownMarks } from './childEnvironment.ts';
import { processIdentity } from './identity.ts';
import type { Launch } from './launch.ts';
import { spawnTurn } from './spawnTurn.ts';

export interface StartRequest {
  /** Folder of the step; made when it is not there. */
  folder: string;
  launch: Launch;
  /** Node (or Electron) that runs the supervisor. */
  node: string;
  /** Folder with `supervisor.js`. */
  dist: string;
  /** The caller's environment; the supervisor gets it without what the launch withholds. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Starts a supervisor in a session of its own, with files as its standard streams. @throws AgentKitError `not_installed` */
export async function spawnSupervisor(request: StartRequest, logFile: string): Promise<ProcessIdentity> {
  await spawnTurn();
  const log = openSync(logFile, 'a', 0o600);
  try {
    const supervisor = spawn(request.node, [join(request.dist, 'supervisor.js'), request.folder], {
      cwd: request.folder,
      env: supervisorEnvironment(request),
      detached: true,
      stdio: ['ignore', log, log],
    });
    // Read at once: it cannot have been collected yet, so even one that died already is known by its identity.
    const identity = supervisor.pid === undefined ? null : processIdentity(supervisor.pid);
    await new Promise<void>((resolve, reject) => {
      supervisor.once('spawn', resolve);
      supervisor.once('error', reject);
    });
    supervisor.unref();
    if (!identity) {
      throw new Error('it is not in the list of processes');
    }
    return identity;
  } catch (error) {
    throw new AgentKitError(
      'not_installed',
      `The supervisor cannot be started with ${request.node}: ${messageOf(error)}`,
      { cause: error },
    );
  } finally {
    closeSync(log);
  }
}

/**
 * The mark tells a supervisor apart from the agent that may have started it: whoever ends that agent's processes
 * spares this one.
 */
function supervisorEnvironment({ folder, launch, environment }: StartRequest): NodeJS.ProcessEnv {
  const passed = Object.entries(environment).filter(
    ([name]) => !launch.withheld.includes(name) && !ownMarks.includes(name),
  );
  return {
    ...Object.fromEntries(passed),
    [attemptMark]: launch.env[attemptMark] ?? folder,
    [stepMark]: folder,
    ELECTRON_RUN_AS_NODE: '1',
  };
}
