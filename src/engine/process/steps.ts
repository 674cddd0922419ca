import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { processIdentitySchema } from '../../core/run/runEvent.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { stepFiles } from '../store/paths.ts';
import { attemptMark } from './attemptMark.ts';
import { ownMarks } from './childEnvironment.ts';
import { isAlive, processIdentity } from './identity.ts';
import {
  stepResultSchema,
  stepStatusSchema,
  type Launch,
  type StepResult,
  type StepStatus,
} from './launch.ts';

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

/** What is known of a supervised process from its folder. */
export interface Step {
  /**
   * `absent`: nothing was started, and starting is safe. `lost`: its supervisor is dead and left no result, however
   * young it is.
   */
  state: 'absent' | 'starting' | 'running' | 'ended' | 'lost';
  /** Whether a supervisor has ever made this step its own; only then can anything have run. */
  claimed: boolean;
  /** Whether it was asked to stop. */
  stopping: boolean;
  status?: StepStatus;
  result?: StepResult;
}

/**
 * Starts the supervisor of a step, detached from this process. Does nothing when the step has a result or a live
 * supervisor; however many start it at once, one of them runs it.
 * @throws AgentKitError `conflict` when its supervisor is lost: what ran once is never started again
 */
export async function startStep(request: StartRequest): Promise<void> {
  const { folder, launch } = request;
  const files = stepFiles(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const step = await readStep(folder);
  if (step.state === 'lost' && step.claimed) {
    throw new AgentKitError(
      'conflict',
      `${folder} was started before and its supervisor is gone; start a new attempt`,
    );
  }
  if (step.state !== 'absent' && step.state !== 'lost') {
    return;
  }
  await writeJson(files.launch, launch);
  await writeJson(files.supervisor, await spawnSupervisor(request, files.supervisorLog));
}

/** Reads the state of a step. @throws AgentKitError `invalid_input` when one of its files was damaged */
export async function readStep(folder: string): Promise<Step> {
  const files = stepFiles(folder);
  // The order matters: whoever is found dead here had written all it ever will before the files below are read.
  const spawned = await readJsonIfThere(files.supervisor, processIdentitySchema);
  const spawnedAlive = spawned !== null && isAlive(spawned);
  const claimant = await readJsonIfThere(files.claim, processIdentitySchema);
  const alive = claimant ? isAlive(claimant) : spawnedAlive;
  const result = await readJsonIfThere(files.result, stepResultSchema);
  const status = await readJsonIfThere(files.status, stepStatusSchema);
  const facts = {
    claimed: claimant !== null,
    stopping: existsSync(files.stop),
    ...(status && { status }),
    ...(result && { result }),
  };
  if (result) {
    return { state: 'ended', ...facts };
  }
  if (!claimant && !spawned) {
    return { state: 'absent', ...facts };
  }
  if (!alive) {
    return { state: 'lost', ...facts };
  }
  return { state: status === null || status.state === 'starting' ? 'starting' : 'running', ...facts };
}

/** Asks that a step's process be stopped; its supervisor sees it within a second. Does nothing for an absent step. */
export async function requestStop(folder: string): Promise<void> {
  if (existsSync(folder)) {
    await writeFile(stepFiles(folder).stop, '', { mode: 0o600 });
  }
}

/** Starts a supervisor in a session of its own, with files as its standard streams. */
async function spawnSupervisor(request: StartRequest, logFile: string) {
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
    ELECTRON_RUN_AS_NODE: '1',
  };
}
