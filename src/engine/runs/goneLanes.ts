import { stat } from 'node:fs/promises';
import type { RunState } from '../../core/run/runState.ts';

/** Lanes whose worktree somebody else has taken away: not those that we take away, or are about to make again. */
export async function goneLanes({ lanes }: RunState): Promise<Set<string>> {
  const gone = await Promise.all(
    lanes.map(async ({ id, worktree, closing, state, prepared }) => {
      const isOurs = closing !== undefined || (state === 'preparing' && !prepared);
      if (worktree === undefined || isOurs) return [];
      const isThere = await stat(worktree.path).then(
        () => true,
        () => false,
      );
      return isThere ? [] : [id];
    }),
  );
  return new Set(gone.flat());
}
