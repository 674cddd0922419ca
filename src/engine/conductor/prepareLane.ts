import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { releaseLease, takeLease } from '../accounts/leases.ts';
import { createLane } from '../git/createLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import { remakeLane } from '../git/remakeLane.ts';
import { tipOf } from '../git/resolveBase.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import type { RunContext } from './runContext.ts';

/** Takes the account for the lane, unless somebody was faster: then nothing is written and it is decided anew. */
export async function assignAccount(
  run: RunContext,
  laneId: string,
  account: string,
  headroom: number | null,
): Promise<void> {
  if (!(await takeAccount(run, laneId, account))) return;
  const worktree = await intendedWorktree(run, laneId);
  await run.append({ type: 'lane.assigned', lane: laneId, account, headroom_pct: headroom, worktree });
}

/** Where the lane stands or will stand. What was once intended stays so: half of it may exist. */
async function intendedWorktree(run: RunContext, laneId: string): Promise<Worktree> {
  const lane = run.lane(laneId);
  const known = lane.worktree ?? lane.intended;
  if (known !== undefined) return known;
  return {
    ...lanePlace(run.laneRoot, laneId),
    base: await baseOf(run, laneId),
    nonce: randomBytes(8).toString('hex'),
  };
}

/** Begins an attempt under the lane's account, if it is still ours: after a crash somebody else may have it. */
export async function startAttempt(run: RunContext, laneId: string): Promise<void> {
  const { account = '', attempts } = run.lane(laneId);
  if (await takeAccount(run, laneId, account)) {
    return run.append({ type: 'attempt.started', lane: laneId, attempt: attempts.length + 1, account });
  }
  return run.append({ type: 'lane.reopened', lane: laneId, to: 'queued' });
}

/** The lease lives with this process, then with the supervisor of the lane's next attempt. */
function takeAccount(run: RunContext, laneId: string, account: string): Promise<boolean> {
  return holdAccount(run, laneId, account, attemptFolder(laneId, run.lane(laneId).attempts.length + 1));
}

/** Takes or renews the lease of a lane for the attempt in a folder. False when somebody else has the account. */
export function holdAccount(
  run: RunContext,
  laneId: string,
  account: string,
  step: string,
): Promise<boolean> {
  const holder = join(run.folder, step);
  return takeLease({ account, owner: leaseOwner(run, laneId), holder, environment: run.environment });
}

export async function freeAccount(run: RunContext, laneId: string): Promise<void> {
  await releaseLease({ owner: leaseOwner(run, laneId), environment: run.environment });
}

export function leaseOwner(run: RunContext, laneId: string): string {
  return `${run.state().run}/${laneId}`;
}

/** Makes the lane's branch and worktree, or finds them made. A lane that cannot be made is blocked with the reason. */
export async function prepareLane(run: RunContext, laneId: string): Promise<void> {
  const { intended } = run.lane(laneId);
  if (intended === undefined) throw new Error(`Lane ${laneId} was not assigned`);
  const { run: runId, target } = run.state();
  const names = { run: runId, lane: laneId, reuseInto: target.ref };
  try {
    if (
      run.lane(laneId).worktree !== undefined &&
      (await remakeLane({ ...run.repository, ...intended, ...names }))
    )
      return await run.append({ type: 'lane.created', lane: laneId, warnings: [] });
    // Nothing starts without the person's word for this repository, so its own hooks may run.
    const { warnings } = await createLane({ ...run.repository, ...intended, ...names, trusted: true });
    await run.append({ type: 'lane.created', lane: laneId, warnings });
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    await freeAccount(run, laneId);
    await run.append({ type: 'lane.blocked', lane: laneId, message: error.message });
  }
}

/** A job that comes after others starts on the target, where they are merged by then. */
async function baseOf(run: RunContext, laneId: string): Promise<string> {
  const { base, target } = run.state();
  if (run.lane(laneId).job.depends_on.length === 0) return base.sha;
  return (await tipOf(run.repository.root, target.ref)) ?? base.sha;
}
