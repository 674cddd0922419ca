import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { processIdentitySchema } from '../../core/run/processIdentity.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { stepFiles } from '../store/paths.ts';
import { isAlive } from './identity.ts';
import { stepResultSchema, stepStatusSchema, type StepResult, type StepStatus } from './launch.ts';
import { spawnSupervisor, type StartRequest } from './spawnSupervisor.ts';

/** Identity of the supervisor that was spawned last, and how many were until then. */
const spawnedSchema = z.object({ ...processIdentitySchema.shape, starts: z.number() });
const maxStarts = 3;

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
 * @throws AgentKitError `conflict` when its supervisor is lost: what ran once is never started again; `internal`
 *   when several supervisors in a row died before they had begun
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
  const starts = (await readJsonIfThere(files.supervisor, spawnedSchema))?.starts ?? 0;
  if (starts >= maxStarts) {
    const log = await readFile(files.supervisorLog, 'utf8').catch(() => '');
    throw new AgentKitError(
      'internal',
      `The supervisor of ${folder} died ${starts} times before it had begun: ${log.trim().slice(-2000)}`,
    );
  }
  await writeJson(files.launch, launch);
  const supervisor = await spawnSupervisor(request, files.supervisorLog);
  await writeJson(files.supervisor, { ...supervisor, starts: starts + 1 });
}

/** Reads the state of a step. @throws AgentKitError `invalid_input` when one of its files was damaged */
export async function readStep(folder: string): Promise<Step> {
  const files = stepFiles(folder);
  // The order matters: whoever is found dead here had written all it ever will before the files below are read.
  const spawned = await readJsonIfThere(files.supervisor, spawnedSchema);
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

/** What a step's supervisor told last; nothing before it has. @throws as `readStep` */
export async function readStatus(folder: string): Promise<StepStatus | undefined> {
  return (await readJsonIfThere(stepFiles(folder).status, stepStatusSchema)) ?? undefined;
}

/** Asks that a step's process be stopped; its supervisor sees it within a second. Does nothing for an absent step. */
export async function requestStop(folder: string): Promise<void> {
  if (existsSync(folder)) {
    await writeFile(stepFiles(folder).stop, '', { mode: 0o600 });
  }
}
