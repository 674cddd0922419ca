import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { isHalfMade } from '../git/checkoutOfBefore.ts';
import { bringLaneBack } from '../git/moveLaneBack.ts';
import { keepLane } from './keepLane.ts';
import type { RunContext } from './runContext.ts';

/**
 * Before a lane is made again whose folder somebody took away: rescues what git still knows of it (index, HEAD and what
 * only its reflog has), which goes with git's entry of the folder. Does nothing while the folder is there, or was only
 * moved, and is put back.
 * @returns what the person is to know of it
 * @throws AgentKitError `not_found` where the folder may come back by itself, as on a drive; and as `rescueLane`
 */
export async function keepWhatIsLeft(run: RunContext, laneId: string, place: Worktree): Promise<string[]> {
  const lane = { ...run.repository, ...place, run: run.state().run, lane: laneId };
  await bringLaneBack(lane);
  if (existsSync(place.path)) return [];
  requireParent(place.path, `ak lane retry ${laneId}`);
  const told = 'Its folder was gone and was made again';
  // What was never complete, nobody has worked in.
  const isKnown = (await adminFolderAt(run.repository.commonDir, place.path)) !== null;
  if (!isKnown || (await isHalfMade(lane))) return [told];
  const { ref } = await keepLane(run, laneId, place);
  return [`${told}; what git still knew of it is in ${ref}`];
}

/** @throws AgentKitError `not_found` where a folder may come back, with what to do then */
export function requireParent(path: string, next: string): void {
  const missing = parentMissing(path, next);
  if (missing !== null) throw new AgentKitError('not_found', missing);
}

/** A drive that is not connected takes the folder around the lanes away too. */
export function parentMissing(path: string, next: string): string | null {
  const parent = dirname(path);
  if (existsSync(parent)) return null;
  return `${parent}, in which its worktree lay, is missing as a whole: if it is on a drive, connect that; else make it again: mkdir -p "${parent}". Then: ${next}`;
}
