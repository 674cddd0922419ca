import { join } from 'node:path';
import * as z from 'zod';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { adminFolderOf, readText } from './adminFolders.ts';

const markerSchema = z.object({
  version: z.literal(1),
  run: z.string(),
  lane: z.string(),
  /** Also in the run's journal; proves that a worktree is the one we made and not a later one of the same name. */
  nonce: z.string(),
  /** The lane's branch; of a merge worktree, the target. */
  branch: z.string(),
  /** Commit it was made at. */
  base: z.string(),
  /** Whether its checkout was complete and clean once; before that nobody but us has known of it. */
  prepared: z.boolean(),
  /** Hash of its sparse patterns when it was made; null when everything is checked out. */
  sparse: z.string().nullable(),
});

/** Our proof that a worktree is ours: a file in its admin folder, where no agent can commit it. */
export type Marker = z.output<typeof markerSchema>;

/** Who made a worktree, and for what. */
export type LaneIdentity = Pick<Marker, 'run' | 'lane' | 'nonce'>;

/** Reason of the git lock on our worktrees and message of the first reflog entry of our branches. */
export function laneReason({ run, lane, nonce }: LaneIdentity): string {
  return `agentkit ${run}/${lane} ${nonce}`;
}

/** The marker of the worktree at a path; null when it is none of ours. */
export async function readMarker(path: string): Promise<Marker | null> {
  const admin = await adminFolderOf(path);
  return admin === null ? null : readMarkerIn(admin);
}

/** A marker that does not parse proves nothing, so it counts as none. */
export async function readMarkerIn(admin: string): Promise<Marker | null> {
  return readJsonIfThere(join(admin, 'agentkit.json'), markerSchema).catch(() => null);
}

export async function writeMarker(admin: string, marker: Marker): Promise<void> {
  // Until it is prepared, git's lock proves the same, so only then need it survive a power loss.
  await writeJson(join(admin, 'agentkit.json'), marker, { durable: marker.prepared });
}

/** The lane that an admin folder belongs to, as `lane api of run …`; null when AgentKit did not make its worktree. */
export async function makerOf(admin: string): Promise<string | null> {
  const marker = await readMarkerIn(admin);
  if (marker !== null) return `lane ${marker.lane} of run ${marker.run}`;
  // Until the marker is written, git's lock carries the same.
  const [, run, lane] =
    /^agentkit ([^/ ]+)\/(\S+) \S+$/.exec((await readText(join(admin, 'locked'))) ?? '') ?? [];
  return run === undefined ? null : `lane ${lane} of run ${run}`;
}

/** Whether git's own lock on the worktree carries exactly this identity. It is set in the moment of creation. */
export async function isLockedFor(admin: string, identity: LaneIdentity): Promise<boolean> {
  return (await readText(join(admin, 'locked'))) === laneReason(identity);
}

/** Whether a worktree is exactly this lane's: by its marker, and until that is written by git's lock. */
export async function isMarkedAs(admin: string, identity: LaneIdentity): Promise<boolean> {
  const marker = await readMarkerIn(admin);
  return marker === null ? isLockedFor(admin, identity) : laneReason(marker) === laneReason(identity);
}
