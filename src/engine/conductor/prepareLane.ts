import { dirname, join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { worktreeOf } from '../../core/run/ownSettings.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { setupFolder } from '../../core/run/stepFolders.ts';
import { createLane } from '../git/createLane.ts';
import { remakeLane } from '../git/remakeLane.ts';
import { stepMark } from '../process/attemptMark.ts';
import { restoreRescue } from '../rescue/restoreRescue.ts';
import { placeFiles } from '../setup/placeFiles.ts';
import { adoptLane } from './adoptLane.ts';
import { freeAccount, takeAccount } from './holdAccount.ts';
import { intendedWorktree } from './intendedWorktree.ts';
import { keepWhatIsLeft } from './keepWhatIsLeft.ts';
import { laneMarks } from './laneMarks.ts';
import { reserveLanePorts } from './reserveLanePorts.ts';
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

/** Begins an attempt under the lane's account, if it is still ours: after a crash somebody else may have it. */
export async function startAttempt(run: RunContext, laneId: string): Promise<void> {
  const { account = '', attempts, next } = run.lane(laneId);
  if (await takeAccount(run, laneId, account)) {
    const attempt = attempts.length + 1;
    const goesOn = next !== undefined && { next };
    return run.append({ type: 'attempt.started', lane: laneId, attempt, account, ...goesOn });
  }
  return run.append({
    type: 'lane.reopened',
    lane: laneId,
    to: 'queued',
    ...(next !== undefined && { next }),
  });
}

/**
 * Makes the lane's branch and worktree with what it is given besides, or finds them made. A lane that cannot be made is
 * blocked with the reason.
 */
export async function prepareLane(run: RunContext, laneId: string): Promise<void> {
  const lane = run.lane(laneId);
  const { intended } = lane;
  if (intended === undefined) throw new Error(`Lane ${laneId} was not assigned`);
  try {
    if (lane.adopts !== undefined && lane.worktree === undefined) return await adoptLane(run, lane, intended);
    const { warnings, again } = await makeWorktree(run, lane, intended);
    const { copy, link } = worktreeOf(run.state(), lane) ?? nothing;
    const { root } = run.repository;
    const given = await placeFiles({ root, path: intended.path, copy, link });
    const ports = await reserveLanePorts(run, lane);
    await run.append({
      type: 'lane.created',
      lane: laneId,
      warnings: [...warnings, ...given.warnings],
      placed: [...new Set([...lane.placed, ...given.placed])],
      ports,
      ...(again && { again }),
    });
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    await freeAccount(run, laneId);
    await run.append({ type: 'lane.blocked', lane: laneId, message: error.message });
  }
}

const nothing = { copy: [], link: [] };

interface Made {
  warnings: string[];
  /** Its folder was gone. */
  again?: true;
}

async function makeWorktree(run: RunContext, lane: LaneRecord, intended: Worktree): Promise<Made> {
  const { run: runId, target } = run.state();
  const names = { run: runId, lane: lane.id, reuseInto: target.ref };
  const place = { ...run.repository, ...intended, ...names };
  if (lane.worktree === undefined && lane.restores !== undefined) {
    // By hand it goes where its own settings say; that folder was looked at when it was asked for.
    const laneRoot = dirname(intended.path);
    const { warnings } = await restoreRescue({ ...place, ref: lane.restores, laneRoot });
    return { warnings };
  }
  const kept = lane.worktree === undefined ? [] : await keepWhatIsLeft(run, lane.id, lane.worktree);
  const again = kept.length > 0 && ({ again: true } as const);
  if (lane.worktree !== undefined && (await remakeLane(place))) return { warnings: kept, ...again };
  // Nothing starts without the person's word for this repository, so its own hooks may run.
  const step = join(run.folder, setupFolder(lane.id, 0, 0));
  const marks = { ...laneMarks(run, lane), [stepMark]: step };
  const { warnings } = await createLane({ ...place, trusted: true, marks });
  return { warnings: [...kept, ...warnings], ...again };
}
