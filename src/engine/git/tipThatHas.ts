import { git } from './plumbing.ts';
import { tipOf } from './resolveBase.ts';

/** The tip of a branch if it contains a commit; null when it does not, or there is no such branch. */
export async function tipThatHas(root: string, branch: string, commit: string): Promise<string | null> {
  const tip = await tipOf(root, branch);
  if (tip === null) return null;
  const args = ['merge-base', '--is-ancestor', commit, tip];
  return (await git(root, args, { okCodes: [0, 1] })).code === 0 ? tip : null;
}
