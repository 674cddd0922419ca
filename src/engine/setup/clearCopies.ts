import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findCopies } from './findCopies.ts';
import { trackedIn } from './trackedIn.ts';

/**
 * Takes away, in a worktree that is kept, what the patterns name and git does not track: copies of an earlier time, of
 * files that the main checkout may have changed or given up since. Nothing is reached through a link.
 */
export async function clearCopies(path: string, copy: readonly string[]): Promise<void> {
  if (copy.length === 0) return;
  const top = await realpath(path);
  const [tracked, { files, links }] = await Promise.all([trackedIn(top), findCopies(top, copy)]);
  for (const file of [...files, ...links]) if (!tracked.has(file)) await rm(join(top, file), { force: true });
}
