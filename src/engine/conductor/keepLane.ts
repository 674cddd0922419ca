import type { RescueRecord } from '../../core/run/rescue.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import type { Closing } from '../../core/run/runState.ts';
import { bareGaps } from '../removal/bareGaps.ts';
import { inspectRemoval } from '../removal/inspectRemoval.ts';
import { folderWasGone } from '../rescue/notKept.ts';
import { rescueLane, type Rescue } from '../rescue/rescueLane.ts';
import { archiveLimit } from './archiveLimit.ts';
import { isRescueWhole } from './isRescueWhole.ts';
import { removalRequest } from './removalRequest.ts';
import type { RunContext } from './runContext.ts';

/**
 * Rescues what a lane holds and writes that down. What an owner before us rescued counts while nothing has changed
 * since.
 * @throws AgentKitError as `rescueLane`, and then nothing may be taken away
 */
export async function keepLane(run: RunContext, laneId: string, place: Worktree): Promise<RescueRecord> {
  const { rescues, placed, closing, state } = run.lane(laneId);
  const known = rescues.findLast(({ nonce }) => nonce === place.nonce);
  if (known !== undefined && (await isRescueWhole(run.repository, place, known))) return known;
  const { path, branch, nonce, base } = place;
  const made = await rescueLane({
    ...run.repository,
    path,
    branch,
    run: run.state().run,
    lane: laneId,
    nonce,
    base,
    why: closing?.why ?? (state === 'preparing' ? 'restart' : 'blocked'),
    leaveOut: placed,
    archiveLimit,
    now: run.now(),
  });
  const rescue = toRecord(made, nonce);
  await run.append({ type: 'lane.rescued', lane: laneId, rescue });
  return rescue;
}

/**
 * Whether nothing of a lane can be lost: what it held is in its target, and nothing else lies in its folder, in git's
 * entry of it or in a reflog alone.
 */
export async function hasNothingOwn(run: RunContext, laneId: string, place: Worktree): Promise<boolean> {
  const request = removalRequest(run, run.state(), laneId, place);
  const { ignored, unmerged } = await inspectRemoval(request);
  return ignored.files === 0 && !unmerged && (await bareGaps(request)).length === 0;
}

/** Whether its lane's folder was not there when it was made. */
export function isOfGoneFolder({ not_kept: lost }: RescueRecord): boolean {
  return lost.some(({ reason }) => reason === folderWasGone);
}

/** What a rescue lacks of its lane, each with the cure. */
export function lossesOf({ not_kept: lost }: RescueRecord, why: Closing['why']): string[] {
  return lost
    .filter(({ reason }) => isLostBy(why, reason))
    .map(({ path, reason }) =>
      reason === folderWasGone
        ? `${path} cannot be kept: ${reason}. Put the folder back there, or say that it may be lost.`
        : `${path} cannot be kept: ${reason}. Move it out of the lane, or say that it may be lost.`,
    );
}

/**
 * Whether what no rescue holds is lost by a closing. A lane that begins anew or is over loses nothing more by that where
 * its folder was gone already; who discards one may still have the folder back.
 */
export function isLostBy(why: Closing['why'], reason: string): boolean {
  return reason !== folderWasGone || (why !== 'restart' && why !== 'remove');
}

function toRecord({ leftOut, notKept, ...made }: Rescue, nonce: string): RescueRecord {
  return { ...made, nonce, left_out: leftOut, not_kept: notKept };
}
