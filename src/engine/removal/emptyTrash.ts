import { rm } from 'node:fs/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { cutLinks, emptiedTargets } from './cutLinks.ts';
import { deleteTree, type Deletion } from './deleteTree.ts';
import { isTheFolder, type Trash } from './trash.ts';

/**
 * Deletes a folder in the trash, its links first, and forgets it when nothing is left. Repeatable.
 * @param deadline when to stop, in `performance.now()`; the next call goes on
 * @throws AgentKitError `internal` when something that the lane had links to is gone afterwards
 */
export async function emptyTrash(trash: Trash, deadline: number): Promise<Deletion> {
  if (!(await isTheFolder(trash))) {
    // Whatever lies there now is not what was moved there.
    await rm(trash.file, { force: true });
    return { freedBytes: 0, done: true };
  }
  const targets = await cutLinks(trash.trash);
  const deletion = await deleteTree(trash.trash, deadline);
  const lost = await emptiedTargets(targets);
  if (lost.length > 0) {
    throw new AgentKitError(
      'internal',
      `While ${trash.path} was deleted, ${lost.join(', ')} was emptied, to which it had a link; restore that`,
    );
  }
  if (deletion.done) await rm(trash.file, { force: true });
  return deletion;
}
