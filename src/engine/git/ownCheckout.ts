import { adminFolderOf } from './adminFolders.ts';
import { makerOf } from './marker.ts';
import type { Repository } from './openRepository.ts';
import { gitText } from './plumbing.ts';
import { realPathOf } from './realPathOf.ts';

/**
 * Top folder of the checkout whose current branch counts for whoever works in a folder: the user's own linked
 * worktree when the folder lies in one, else the main checkout; a lane of ours counts as the main checkout.
 */
export async function ownCheckout({ root }: Repository, folder: string): Promise<string> {
  const inCheckout = await gitText(folder, ['rev-parse', '--is-inside-work-tree'], { discover: true });
  if (inCheckout !== 'true') return root;
  const top = await realPathOf(await gitText(folder, ['rev-parse', '--show-toplevel'], { discover: true }));
  const admin = await adminFolderOf(top);
  return admin === null || (await makerOf(admin)) !== null ? root : top;
}
