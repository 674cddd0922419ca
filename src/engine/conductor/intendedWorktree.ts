import { randomBytes } from 'node:crypto';
import type { Worktree } from '../../core/run/runEvent.ts';
import { hasEarlierLane } from '../git/hasEarlierLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import type { RunContext } from './runContext.ts';

/** Where the lane stands or will stand. What was once intended stays so: half of it may exist. */
export async function intendedWorktree(run: RunContext, laneId: string): Promise<Worktree> {
  const lane = run.lane(laneId);
  const known = lane.worktree ?? lane.intended;
  if (known !== undefined) return known;
  return {
    ...(lane.removed === undefined ? lanePlace(run.laneRoot, laneId) : await freePlace(run, laneId)),
    base: await baseOf(run, laneId),
    nonce: randomBytes(8).toString('hex'),
  };
}

/** Where what the lane had before is gone, else beside it: something of that may still be there, or come back. */
async function freePlace(run: RunContext, laneId: string): Promise<{ branch: string; path: string }> {
  const reuseInto = run.state().target.ref;
  for (let n = 1; ; n += 1) {
    const place = lanePlace(run.laneRoot, n === 1 ? laneId : `${laneId}-${n}`);
    if (!(await hasEarlierLane(run.repository, { ...place, reuseInto }))) return place;
  }
}

/**
 * A job that comes after others starts on the target, where they are merged by then; not where that is only behind the
 * run's base, as a local branch may be behind the remote one.
 */
async function baseOf(run: RunContext, laneId: string): Promise<string> {
  const { base, target } = run.state();
  if (run.lane(laneId).job.depends_on.length === 0) return base.sha;
  const { root } = run.repository;
  const tip = await tipOf(root, target.ref);
  if (tip === null) return base.sha;
  const isBehind = await git(root, ['merge-base', '--is-ancestor', tip, base.sha], { okCodes: [0, 1] });
  return isBehind.code === 0 ? base.sha : tip;
}
