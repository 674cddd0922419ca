import { linkSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { syncFolder, writeJson } from '../store/atomicFile.ts';

/**
 * Creates the claim of a step, with its content in one act and only if there is none yet. Returns whether this
 * process now is the one that runs the step.
 */
export async function claimStep(file: string, self: ProcessIdentity): Promise<boolean> {
  const draft = `${file}.${self.pid}`;
  await writeJson(draft, self);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  await syncFolder(dirname(file));
  return true;
}
