import { lstat } from 'node:fs/promises';

import { readStatus } from '../git/readStatus.ts';
import { joinBytes } from './joinBytes.ts';

/** What of a lane's folder stands in no commit; ignored files do not count. */
export interface Uncommitted {
  /** Tracked paths that differ from HEAD. */
  dirty: string[];
  untracked: string[];
  /** When the youngest of these files was changed, in milliseconds since 1970; 0 when there is none. */
  changedMs: number;
}

export async function uncommittedIn(folder: string): Promise<Uncommitted> {
  const found: Uncommitted = { dirty: [], untracked: [], changedMs: 0 };
  for (const { index, path, raw } of await readStatus(folder)) {
    (index === '?' ? found.untracked : found.dirty).push(path);
    const file = joinBytes(Buffer.from(folder), raw);
    // A deleted file has no time, and nothing that could be lost.
    const times = await lstat(file).catch(() => null);
    // What is moved here keeps its own time; the system's time of change tells of that too.
    if (times !== null) found.changedMs = Math.max(found.changedMs, times.mtimeMs, times.ctimeMs);
  }
  found.dirty = [...new Set(found.dirty)];
  return found;
}
