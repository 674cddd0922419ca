import { messageOf } from '../../core/agentKitError.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { emptyTrash } from './emptyTrash.ts';
import { entryAt } from './entryAt.ts';
import { listOwnFolders } from './laneIdentity.ts';
import { clearTornRecords, listTrash, type Trash, type TrashList } from './trash.ts';

export interface Sweep {
  freedBytes: number;
  /** Folders that are still there, or records of them that cannot be read, and why. */
  left: { trash: string; why: string }[];
}

/**
 * Deletes what removals have moved away and could not delete to the end, for at most `limitMs` milliseconds.
 *
 * The folder of a removal that was cut off before git had forgotten the lane stays: that removal is not decided yet,
 * and `removeLane` ends it.
 */
export async function sweepTrash({
  commonDir,
  limitMs,
}: {
  commonDir: string;
  limitMs: number;
}): Promise<Sweep> {
  const deadline = performance.now() + limitMs;
  const sweep: Sweep = { freedBytes: 0, left: [] };
  // A removal that is under way holds the turn between its record and the move.
  const { decided, open, damaged } = await takeTurn(commonDir, () => sortTrash(commonDir));
  sweep.left.push(
    ...open.map(({ trash, lane }) => ({ trash, why: `the removal of lane ${lane} has not ended` })),
    ...damaged.map(({ file, why }) => ({ trash: file, why })),
  );
  for (const trash of decided) {
    try {
      const { freedBytes, done } = await emptyTrash(trash, deadline);
      sweep.freedBytes += freedBytes;
      if (!done) sweep.left.push({ trash: trash.trash, why: 'there was no time left' });
    } catch (error) {
      // One folder that cannot be deleted keeps no other from it.
      sweep.left.push({ trash: trash.trash, why: messageOf(error) });
    }
  }
  return sweep;
}

interface SortedTrash extends Pick<TrashList, 'damaged'> {
  decided: Trash[];
  open: Trash[];
}

async function sortTrash(commonDir: string): Promise<SortedTrash> {
  await clearTornRecords(commonDir);
  const own = await listOwnFolders(commonDir);
  const decided: Trash[] = [];
  const open: Trash[] = [];
  const { records, damaged } = await listTrash(commonDir);
  for (const trash of records) {
    const isKnown = own.some(({ nonce }) => nonce === trash.nonce);
    // A lane that was made anew since has a folder of its own again.
    const isOpen = isKnown && (await entryAt(trash.path)) === null;
    (isOpen ? open : decided).push(trash);
  }
  return { decided, open, damaged };
}
