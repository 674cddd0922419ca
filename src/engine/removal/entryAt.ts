import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';

/**
 * What lies at a path, a link itself; null only when nothing does.
 * @throws AgentKitError `not_accessible` when that cannot be told: gone and unreadable are not the same
 */
export async function entryAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new AgentKitError('not_accessible', `${path} cannot be looked at: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
