import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError, type ErrorReason } from '../../core/agentKitError.ts';
import { failOver } from '../../core/run/failOver.ts';
import { gateOf } from '../../core/run/ownSettings.ts';
import type { NextAttempt } from '../../core/run/nextAttempt.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { runningGate, runningSetup } from '../../core/run/stepFolders.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import type { Launch } from '../process/launch.ts';
import { readStep, startStep } from '../process/steps.ts';
import { portVariables } from '../setup/setupLaunch.ts';
import { agentLaunch } from './agentLaunch.ts';
import { deniedBy } from './deniedBy.ts';
import { noteFingerprint } from './foreign.ts';
import { freeAccount, holdAccount } from './holdAccount.ts';
import { laneMarks } from './laneMarks.ts';
import { leftWork } from './leftWork.ts';
import type { RunContext } from './runContext.ts';
import { commandLaunch } from './setupActions.ts';
import { stepPlace } from './stepPlace.ts';

/**
 * Starts the process that a lane waits for: its agent, or the next command of its setup or check of its gate. Repeatable. An agent starts
 * only under its account: after a crash somebody else may have it, and then the lane is queued again.
 */
export async function launchStep(run: RunContext, laneId: string, folder: string): Promise<void> {
  const lane = run.lane(laneId);
  const target = join(run.folder, folder);
  const { state, claimed } = await readStep(target);
  // Somebody may have begun it since it was decided; what became of it shows at the next look.
  if (state !== 'absent' && (state !== 'lost' || claimed)) return;
  if (lane.state === 'running' && !(await holdAccount(run, laneId, lane.account ?? '', folder))) {
    const message = 'Its account was taken before the agent began.';
    const attempt = lane.attempts.length;
    return run.append(
      { type: 'attempt.ended', lane: laneId, attempt, outcome: 'lost', exit: null, message },
      { type: 'lane.reopened', lane: laneId, to: 'queued', ...nextOf(lane) },
    );
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  const launch = await launchOf(run, lane, target);
  if (launch === null) return;
  await startStep({ folder: target, launch, node: run.node, dist: run.dist, environment: run.environment });
}

/** Null where it was not to be started, which stands in the journal then. */
async function launchOf(run: RunContext, lane: LaneRecord, folder: string): Promise<Launch | null> {
  const setup = runningSetup(lane, run.state().plan);
  if (setup !== undefined) return commandLaunch(run, lane, 'setup', setup.done);
  const gate = runningGate(lane);
  if (gate !== undefined) return checkLaunch(run, lane, gate);
  return startedAgent(run, lane, folder).catch((error: unknown) => endUnstarted(run, lane, error));
}

async function startedAgent(run: RunContext, lane: LaneRecord, folder: string): Promise<Launch> {
  const launch = await agentLaunch(run, lane, folder);
  await noteFingerprint(run, folder);
  return launch;
}

/**
 * An agent that could not be started. Where that lies with the account, the job has not failed: its lane is queued again
 * for another one, as after any agent whose account cannot be used. Else it has failed before it began, and the reason
 * says the cure.
 */
async function endUnstarted(run: RunContext, lane: LaneRecord, error: unknown): Promise<null> {
  if (!(error instanceof AgentKitError)) throw error;
  await freeAccount(run, lane.id);
  const { message, reason } = error;
  const ended = {
    type: 'attempt.ended',
    lane: lane.id,
    attempt: lane.attempts.length,
    exit: null,
    message,
  } as const;
  const excludes = { from: 'run', message } as const;
  if (unusable.has(reason)) {
    // A CLI that was too slow this once may serve other lanes.
    const from = reason === 'timeout' ? 'job' : 'run';
    const lost = { ...ended, outcome: 'lost', excludes: { from, message } } as const;
    const facts = { left: await leftWork(lane), mayContinue: message, unanswered: false };
    await run.append(...failOver(run.state(), lane, lost, facts));
  } else if (reason === 'conflict') {
    // Another profile of its login has a writer: by now that is known, so the account counts as busy.
    const again = { type: 'lane.reopened', lane: lane.id, to: 'queued', message, ...nextOf(lane) } as const;
    await run.append({ ...ended, outcome: 'lost' }, again);
  } else {
    const isOther = reason === 'wrong_account';
    await run.append({ ...ended, ...(isOther && { excludes }), outcome: 'failed' });
  }
  return null;
}

/** What its agent was to go on with, the next one is too. */
function nextOf({ attempts }: LaneRecord): { next?: NextAttempt } {
  const next = attempts.at(-1)?.next;
  return next === undefined ? {} : { next };
}

/** Not installed, not logged in, gone, or without an answer: for want of this account only. */
const unusable: ReadonlySet<ErrorReason> = new Set([
  'not_installed',
  'not_logged_in',
  'not_found',
  'timeout',
]);

async function checkLaunch(run: RunContext, lane: LaneRecord, gate: { checks: unknown[] }): Promise<Launch> {
  const check = gateOf(run.state(), lane)[gate.checks.length];
  if (check === undefined)
    throw new AgentKitError('internal', `The gate of lane ${lane.id} has nothing left to run.`);
  const { path: cwd, ports } = stepPlace(run, lane);
  return {
    version: 1,
    role: 'check',
    // The plan's `run` is a command line by contract; it is the repository's own and was shown before the start.
    argv: ['/bin/sh', '-c', check.run],
    cwd,
    env: { CI: '1', ...portVariables(ports), ...laneMarks(run, lane) },
    withheld: withheldNames(run.environment, { deny: await deniedBy(run) }),
    stdin_file: null,
    timeout_s: check.timeout,
  };
}
