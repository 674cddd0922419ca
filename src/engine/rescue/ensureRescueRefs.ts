import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from '../git/plumbing.ts';
import { requireRescueRef, rescuePrefix, setRescueRef } from './rescueRef.ts';

/**
 * Makes rescue refs again that somebody deleted or moved, as the journal knows them.
 * @returns the refs that were made again
 * @throws AgentKitError `not_found` naming a rescue whose commit is lost; the others have been made again then
 */
export async function ensureRescueRefs(
  root: string,
  known: readonly { ref: string; commit: string }[],
): Promise<string[]> {
  const format = '--format=%(refname) %(objectname)%(if)%(symref)%(then) to %(symref)%(end)';
  const there = new Set((await gitText(root, ['for-each-ref', format, rescuePrefix])).split('\n'));
  const missing = known.filter(({ ref, commit }) => !there.has(`${ref} ${commit}`));
  const remade: string[] = [];
  const lost: string[] = [];
  for (const { ref, commit } of missing) {
    await requireRescueRef(root, ref);
    const found = await git(root, ['cat-file', '-e', `${commit}^{commit}`], { okCodes: [0, 1, 128] });
    if (found.code !== 0) {
      lost.push(ref);
      continue;
    }
    await setRescueRef(root, ref, commit);
    remade.push(ref);
  }
  if (lost.length === 0) return remade;
  throw new AgentKitError(
    'not_found',
    `The commit of the rescue ${lost.join(', ')} is gone from ${root}: somebody deleted the ref and cleaned up. A copy of the repository may have it`,
  );
}
