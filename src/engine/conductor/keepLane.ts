import type { RescueRecord } from '../../core/run/rescue.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import type { Closing } from '../../core/run/runState.ts';
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

/** Whether nothing of a lane can be lost: what it held is in its target, and nothing else lies in its folder. */
export async function hasNothingOwn(run: RunContext, laneId: string, place: Worktree): Promise<boolean> {
  const found = await inspectRemoval(removalRequest(run, run.state(), laneId, place));
  const { dirty, untracked, ignored, unmerged, submodules } = found;
  return (
    dirty.length + untracked.length + ignored.files === 0 &&
    !unmerged &&
    submodules.every((each) => !each.dirty && each.unpushed === 0)
  );
}

/** Whether its lane's folder was not there when it was made. */
export function isOfGoneFolder({ not_kept: lost }: RescueRecord): boolean {
  return lost.some(({ reason }) => reason === folderWasGone);
}

/**
 * What a rescue lacks of its lane, each with the cure. A lane that begins anew loses nothing more by that where its folder
 * was gone already.
 */
export function lossesOf(rescue: RescueRecord, why: Closing['why']): string[] {
  const { not_kept: lost } = rescue;
  const ours = why === 'restart' ? lost.filter(({ reason }) => reason !== folderWasGone) : lost;
  return ours.map(({ path, reason }) =>
    reason === folderWasGone
      ? `${path} cannot be kept: ${reason}. Put the folder back there, or say that it may be lost.`
      : `${path} cannot be kept: ${reason}. Move it out of the lane, or say that it may be lost.`,
  );
}

function toRecord({ leftOut, notKept, ...made }: Rescue, nonce: string): RescueRecord {
  return { ...made, nonce, left_out: leftOut, not_kept: notKept };
}
