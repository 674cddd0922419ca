import { laneOf } from '../samples.ts';
import type { Doing } from './act.ts';
import type { Owner } from './owner.ts';

/** Keeps all that the lane holds, writes that down, and only then takes it away, as far as its reason demands. */
export function* closeLane(owner: Owner, id: string): Doing {
  const { closing, worktree } = laneOf(owner.state, id);
  if (closing === undefined) throw new Error(`lane ${id} is not being closed`);
  const { why, message = 'It waits.' } = closing;
  const tip = owner.world.tips.get(id) ?? null;
  if (worktree !== undefined && tip !== null) {
    const held = { why, nonce: worktree.nonce, tip, head: tip, files: 0, bytes: 0 };
    const rest = { archive: null, left_out: [], not_kept: [] };
    const rescue = { ref: `rescue of ${tip}`, commit: tip, at: '', ...held, ...rest };
    owner.append({ type: 'lane.rescued', lane: id, rescue });
    yield;
  }
  if (why === 'blocked') return owner.append({ type: 'lane.blocked', lane: id, message });
  owner.world.tips.delete(id);
  yield;
  owner.append({ type: 'lane.removed', lane: id, branch: 'deleted', left: [] });
}
