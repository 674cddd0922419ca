import type { RescueRecord } from '../../../../../src/core/run/rescue.ts';
import type { RunEventBody } from '../../../../../src/core/run/runEvent.ts';
import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';
import type { World } from './world.ts';

/** Keeps all that the lane holds, writes that down, and only then takes it away, as far as its reason demands. */
export function* closeLane(owner: Owner, id: string): Doing {
  const { world } = owner;
  const { closing, worktree, intended, rescues, attempts } = laneOf(owner.state, id);
  if (closing === undefined) throw new Error(`lane ${id} is not being closed`);
  const { why, message = 'It waits.' } = closing;
  const place = worktree ?? intended;
  free(owner, id);
  yield;
  if (why !== 'blocked' && !goesWell(world.scenario, 'close', `${id} ${attempts.length} ${why}`)) {
    const kept: RunEventBody = { type: 'lane.kept', lane: id, reasons: [world.scenario.text] };
    return owner.append(kept, ...answer(closing.request, false));
  }
  if (place !== undefined && world.git.worktrees.has(place.path) && !isKept(world, place.path, rescues)) {
    const ref = `rescue/${id}/${world.name()}`;
    const commit = world.git.rescue(place.path, ref);
    yield;
    const tip = world.tip(id) ?? null;
    const held = { why, nonce: place.nonce, tip, head: tip ?? '', files: 0, bytes: 0 };
    const rest = { archive: null, left_out: [], not_kept: [] };
    const rescue = { ref, commit, at: '', ...held, ...rest };
    owner.append({ type: 'lane.rescued', lane: id, rescue });
    yield;
  }
  if (why === 'blocked') return owner.append({ type: 'lane.blocked', lane: id, message });
  if (place !== undefined) {
    // Somebody was at work there meanwhile: all of it from the beginning.
    const { rescues: known } = laneOf(owner.state, id);
    if (world.git.worktrees.has(place.path) && !isKept(world, place.path, known)) return;
    world.removeWorktree(place.path);
    yield;
    world.git.deleteRef(place.branch);
    yield;
  }
  owner.append(
    { type: 'lane.removed', lane: id, branch: 'deleted', left: [] },
    ...answer(closing.request, true),
  );
}

/** Whether one of its rescues holds all that is there now. */
function isKept({ git }: World, path: string, rescues: readonly RescueRecord[]): boolean {
  const { files = new Set<string>(), branch = '' } = git.worktrees.get(path) ?? {};
  const tip = git.refs.get(branch) ?? '';
  return rescues.some(
    ({ commit }) => git.isAncestor(tip, commit) && [...files].every((file) => git.filesOf(commit).has(file)),
  );
}

function answer(request: string | undefined, ok: boolean): RunEventBody[] {
  return request === undefined ? [] : [{ type: 'request.answered', request, ok, message: '' }];
}
