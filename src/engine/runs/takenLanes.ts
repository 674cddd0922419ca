import { isClosed } from '../../core/run/fold.ts';
import { listRunFolders, requestsFolder } from '../store/runFolder.ts';
import { readRequests } from '../store/requests.ts';
import { existsSync } from 'node:fs';
import type { RunReader } from './runReader.ts';
import { standingFolder } from './standingRun.ts';

/**
 * Names of lanes of all runs that are in use, in small letters: of those that have a branch and a worktree that may be
 * worked in, or will have, and of those by hand that were asked for.
 */
export async function takenLanes(commonDir: string, reader: RunReader): Promise<Set<string>> {
  const taken = new Set<string>();
  const folders = await listRunFolders(commonDir);
  for (const { lanes } of await reader.states(folders)) {
    for (const lane of lanes) {
      const isNothing = lane.state === 'blocked' && lane.worktree === undefined && !lane.byHand;
      // What is left of it, git knows.
      const isOver = isClosed(lane) || (lane.state === 'merged' && !lane.byHand);
      if (!isOver && !isNothing) taken.add(lane.id.toLowerCase());
    }
  }
  const standing = standingFolder(commonDir);
  if (!existsSync(requestsFolder(standing))) return taken;
  const answers = (await reader.state(standing).catch(() => undefined))?.answers ?? {};
  for (const request of await readRequests(standing, answers))
    if (request.do === 'addLane') taken.add(request.lane.toLowerCase());
  return taken;
}
