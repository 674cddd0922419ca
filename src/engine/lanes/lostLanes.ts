import { messageOf } from '../../core/agentKitError.ts';
import type { RunState } from '../../core/run/runState.ts';
import { findUnknownLanes, type UnknownLane } from '../removal/rebuildLanes.ts';
import { runIdOf } from '../runs/runReader.ts';
import { listRunFolders } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';

/** A worktree of ours that no run which can be read tells of. */
export interface LostLane extends UnknownLane {
  /** Why it cannot be adopted, each with what helps; empty where it can. */
  whyNot: string[];
}

export async function lostLanes({ repository, reader }: CareSources): Promise<LostLane[]> {
  const known = new Set<string>();
  const unreadable = new Map<string, string>();
  for (const folder of await listRunFolders(repository.commonDir)) {
    try {
      for (const nonce of noncesOf(await reader.state(folder))) known.add(nonce);
    } catch (error) {
      unreadable.set(runIdOf(folder), `${messageOf(error)} Mend it, or move the run away: ${folder}`);
    }
  }
  const unknown = await findUnknownLanes({ ...repository, known });
  return unknown.map((lane) => ({ ...lane, whyNot: whyNot(lane, unreadable.get(lane.run)) }));
}

/** Also of the worktree that a lane adopts, until it is marked anew. */
function noncesOf({ lanes }: RunState): string[] {
  return lanes.flatMap(({ worktree, intended, adopts }) =>
    [worktree, intended, adopts].flatMap((each) => each?.nonce ?? []),
  );
}

function whyNot({ run, path, prepared }: UnknownLane, unreadable: string | undefined): string[] {
  if (unreadable !== undefined) return [`Its run ${run} is there but cannot be read: ${unreadable}`];
  if (prepared) return [];
  const removed = `git worktree unlock "${path}" && git worktree remove "${path}"`;
  return [
    `Its making never came to its end; look whether anything is in it, and remove it by hand: ${removed}`,
  ];
}
