import { stepMark } from './attemptMark.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

/** Living processes that carry the mark of the step in this folder, whether the folder is there or not; not this one. */
export function processesOfStep(folder: string): ProcessEntry[] {
  return platform
    .list()
    .filter(
      ({ pid, zombie }) => !zombie && pid !== process.pid && platform.variable(pid, stepMark) === folder,
    );
}
