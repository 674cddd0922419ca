import { readLaneResources } from '../process/readLaneResources.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { join } from 'node:path';
import { diskUsage } from '../store/diskUsage.ts';
import type { CareSources } from './createLaneCare.ts';
import type { LaneResources } from './laneCare.ts';

/** A tooltip waits no longer for the disk, in milliseconds. */
const diskPatience = 2000;

/** What the processes of a lane use now; null when none runs. */
export async function laneResources({ finder }: CareSources, lane: string): Promise<LaneResources | null> {
  const { folder, state, record } = await finder.find(lane);
  const step = pendingStep(record, state.plan);
  const request =
    step === undefined
      ? { mark: `${state.run}/${record.id}/${record.attempts.length}`, runFolder: folder }
      : { folder: join(folder, step) };
  const used = await readLaneResources(request);
  if (used === null) return null;
  const path = record.worktree?.path;
  const disk = path === undefined ? null : await diskUsage(path, { entries: 500_000, time: diskPatience });
  return { ...used, disk_bytes: disk?.complete ? disk.bytes : null };
}
