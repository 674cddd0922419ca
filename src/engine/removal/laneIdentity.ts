import { join } from 'node:path';
import { listAdminFolders, readText, type AdminFolder } from '../git/adminFolders.ts';
import { readMarkerIn, type LaneIdentity } from '../git/marker.ts';

/** A worktree of ours as git keeps it, and whose it is. */
export interface OwnFolder extends AdminFolder, LaneIdentity {
  /** The lane's branch by its marker; null when only git's lock proves it, before its making was complete. */
  branch: string | null;
  prepared: boolean;
}

/** All worktrees that carry our marker, or until it is written our lock; also those whose folder is gone. */
export async function listOwnFolders(commonDir: string): Promise<OwnFolder[]> {
  const own: OwnFolder[] = [];
  for (const folder of await listAdminFolders(commonDir)) {
    const marker = await readMarkerIn(folder.admin);
    if (marker !== null) {
      const { run, lane, nonce, branch, prepared } = marker;
      own.push({ ...folder, run, lane, nonce, branch, prepared });
      continue;
    }
    const locked = parseReason((await readText(join(folder.admin, 'locked'))) ?? '');
    if (locked !== null) own.push({ ...folder, ...locked, branch: null, prepared: false });
  }
  return own;
}

/** Reads back what `laneReason` has written; null for any other text. */
export function parseReason(reason: string): LaneIdentity | null {
  const [, run, lane, nonce] = /^agentkit ([^/ ]+)\/(\S+) (\S+)$/.exec(reason) ?? [];
  return run === undefined || lane === undefined || nonce === undefined ? null : { run, lane, nonce };
}
