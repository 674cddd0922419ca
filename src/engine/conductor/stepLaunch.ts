import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError, type ErrorReason } from '../../core/agentKitError.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { framePrompt } from '../../core/run/framePrompt.ts';
import { runningGate } from '../../core/run/stepFolders.ts';
import { choosePosture, postureEnvironment } from '../../core/safety/posture.ts';
import { confirmHeld } from '../accounts/confirmHeld.ts';
import { findProfile } from '../accounts/profiles.ts';
import { whoAsks } from '../accounts/whoAsks.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import type { Launch } from '../process/launch.ts';
import { readStep, startStep } from '../process/steps.ts';
import { mergeTreeFolder } from '../git/prepareMergeTree.ts';
import { deniedBy } from './deniedBy.ts';
import { freeAccount, holdAccount, leaseOwner } from './prepareLane.ts';
import type { RunContext } from './runContext.ts';

/**
 * Starts the process that a lane waits for: its agent or the next check of its gate. Repeatable. An agent starts
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
      { type: 'lane.reopened', lane: laneId, to: 'queued' },
    );
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  const gate = runningGate(lane);
  const launch =
    gate === undefined
      ? await agentLaunch(run, lane, target).catch((error: unknown) => endUnstarted(run, lane, error))
      : await checkLaunch(run, lane, gate);
  if (launch === null) return;
  await startStep({ folder: target, launch, node: run.node, dist: run.dist, environment: run.environment });
}

/**
 * An agent that could not be started. Where that lies with the account, no other lane of this run gets it; where
 * another account may do, the job has not failed: its lane is queued again, and another one picked. Else it has failed
 * before it began, and the reason says the cure.
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
  // Another profile of its login has a writer: by now that is known, so the account counts as busy.
  if (unusable.has(reason) || reason === 'conflict') {
    const again = { type: 'lane.reopened', lane: lane.id, to: 'queued', message } as const;
    const out = unusable.has(reason) ? { excludes } : {};
    await run.append({ ...ended, ...out, outcome: 'lost' }, again);
  } else {
    const isOther = reason === 'wrong_account';
    await run.append({ ...ended, ...(isOther && { excludes }), outcome: 'failed' });
  }
  return null;
}

/** Not installed, not logged in, or gone: for want of this account only. */
const unusable: ReadonlySet<ErrorReason> = new Set(['not_installed', 'not_logged_in', 'not_found']);

async function agentLaunch(run: RunContext, lane: LaneRecord, folder: string): Promise<Launch> {
  const account = parseAccount(lane.account ?? '');
  const kind = run.kinds.get(account.kind);
  if (kind === undefined || lane.worktree === undefined) {
    throw new AgentKitError(
      'not_found',
      `Lane ${lane.id} has no worktree or an unknown kind ${account.kind}.`,
    );
  }
  const profile = await findProfile(kind, account.profile, run.environment);
  const owner = leaseOwner(run, lane.id);
  await confirmHeld({ kind, profile, environment: run.environment, owner });
  const { plan } = run.state();
  const { waiting_timeout: waiting } = plan;
  const prompt = join(folder, 'prompt.md');
  await writeFile(prompt, framePrompt(lane.job, plan), { mode: 0o600 });
  const asked = await whoAsks({ environment: run.environment, asks: run.asks, plan });
  const posture = choosePosture({ said: asked.map(() => 'ask') });
  const { argv, env, described } = kind.launch(profile, {
    posture,
    ...(lane.job.model !== undefined && { model: lane.job.model }),
  });
  return {
    version: 1,
    role: 'agent',
    kind: kind.id,
    ...(described && { user_kind: described }),
    profile,
    argv,
    cwd: lane.worktree.path,
    env: {
      ...env,
      ...postureEnvironment(posture),
      ...marks(run, lane),
      AGENTKIT_ACTIVE_ACCOUNT: lane.account ?? '',
    },
    withheld: withheldNames(run.environment, { deny: await deniedBy(run), needs: kind.needs ?? [] }),
    stdin_file: prompt,
    timeout_s: lane.job.timeout,
    ...(waiting !== undefined && { waiting_timeout_s: waiting }),
  };
}

async function checkLaunch(
  run: RunContext,
  lane: LaneRecord,
  gate: { subject: 'lane' | 'merge'; checks: unknown[] },
): Promise<Launch> {
  const { plan, target } = run.state();
  const check = plan.gate[gate.checks.length];
  const cwd = gate.subject === 'merge' ? mergeTreeFolder(run.laneRoot, target.ref) : lane.worktree?.path;
  if (check === undefined || cwd === undefined) {
    throw new AgentKitError('internal', `The gate of lane ${lane.id} has nothing left to run.`);
  }
  return {
    version: 1,
    role: 'check',
    // The plan's `run` is a command line by contract; it is the repository's own and was shown before the start.
    argv: ['/bin/sh', '-c', check.run],
    cwd,
    env: { CI: '1', ...marks(run, lane) },
    withheld: withheldNames(run.environment, { deny: await deniedBy(run) }),
    stdin_file: null,
    timeout_s: check.timeout,
  };
}

/** Marks that every descendant inherits, so that what is left of a lane can be told from everything else. */
function marks(run: RunContext, lane: LaneRecord): Record<string, string> {
  const id = run.state().run;
  const attempt = `${id}/${lane.id}/${lane.attempts.length}`;
  return { AGENTKIT_RUN: id, AGENTKIT_LANE: lane.id, AGENTKIT_ATTEMPT: attempt };
}
