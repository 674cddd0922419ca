import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { processIdentitySchema } from '../../core/run/processIdentity.ts';
import { readJsonIfThere } from '../store/atomicFile.ts';
import { stepFiles } from '../store/paths.ts';
import { attemptMark } from './attemptMark.ts';
import { isAlive } from './identity.ts';

/** A supervised process of a run, as far as it matters for what it may have left. */
export interface LaneStep {
  folder: string;
  /** The mark of its processes; null when its launch cannot be read. */
  mark: string | null;
  /** Whether its supervisor lives. One whose files cannot be read counts as alive: nothing of it is touched. */
  supervised: boolean;
  /** Whether it has left a result. */
  ended: boolean;
}

/** Steps lie at most so deep below the folder of a run's lanes: lane, step, command. */
const deepest = 3;

const launchSchema = z.object({ env: z.record(z.string(), z.string()) });

/** Every step below the folder of a run's lanes. Empty when there is no such folder. */
export async function stepsBelow(folder: string, depth = deepest): Promise<LaneStep[]> {
  if (existsSync(stepFiles(folder).launch)) return [await readLaneStep(folder)];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: LaneStep[] = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    found.push(...(await stepsBelow(join(folder, entry.name), depth - 1)));
  }
  return found;
}

/** The step of this folder; one that is not there any more has neither a supervisor nor a result. */
export async function readLaneStep(folder: string): Promise<LaneStep> {
  const files = stepFiles(folder);
  const launch = await readJsonIfThere(files.launch, launchSchema).catch(() => 'unreadable' as const);
  const alive = async (file: string) => {
    const identity = await readJsonIfThere(file, processIdentitySchema).catch(() => 'unreadable' as const);
    return identity === 'unreadable' || (identity !== null && isAlive(identity));
  };
  return {
    folder,
    mark: launch === null || launch === 'unreadable' ? null : (launch.env[attemptMark] ?? folder),
    supervised: (await alive(files.claim)) || (await alive(files.supervisor)),
    ended: existsSync(files.result),
  };
}
