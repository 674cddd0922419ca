import { realpath } from 'node:fs/promises';
import { worktreeOf } from '../../core/run/ownSettings.ts';
import type { Worktree } from '../../core/run/runEvent.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { adoptWorktree } from '../git/adoptWorktree.ts';
import { fromText } from '../rescue/byteNames.ts';
import { isAsPlaced } from '../rescue/isAsPlaced.ts';
import { readEntry } from '../rescue/scanFolder.ts';
import { findCopies } from '../setup/findCopies.ts';
import { trackedIn } from '../setup/trackedIn.ts';
import { reserveLanePorts } from './reserveLanePorts.ts';
import type { RunContext } from './runContext.ts';

/**
 * Takes a worktree over whose run is lost. Nothing is put into it and no setup runs there: it is somebody's work, as it
 * stands.
 */
export async function adoptLane(run: RunContext, lane: LaneRecord, intended: Worktree): Promise<void> {
  const { adopts } = lane;
  if (adopts === undefined) throw new Error(`Lane ${lane.id} adopts nothing`);
  const ports = await reserveLanePorts(run, lane);
  const placed = await placedBefore(run, lane, intended);
  const place = { ...run.repository, ...intended, run: run.state().run, lane: lane.id };
  const warnings = await adoptWorktree(place, adopts);
  await run.append(
    { type: 'lane.created', lane: lane.id, warnings, placed, ports },
    { type: 'lane.opened', lane: lane.id },
  );
}

/** What was copied into it when it was made, as far as it still is that. */
async function placedBefore(run: RunContext, lane: LaneRecord, { path }: Worktree): Promise<string[]> {
  const copy = worktreeOf(run.state(), lane)?.copy ?? [];
  if (copy.length === 0) return [];
  const root = await realpath(run.repository.root);
  const [{ files }, tracked] = await Promise.all([findCopies(root, copy), trackedIn(path)]);
  const placed: string[] = [];
  for (const file of files) {
    const entry = await readEntry(path, fromText(file)).catch(() => undefined);
    if (entry !== undefined && !tracked.has(file) && (await isAsPlaced(root, path, entry))) placed.push(file);
  }
  return placed;
}
