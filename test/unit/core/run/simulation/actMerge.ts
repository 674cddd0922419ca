import type { Request } from '../../../../../src/core/run/request.ts';
import { pendingStep } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import type { Doing } from './act.ts';
import { checkEvidence, checkLock } from './checkWorld.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';

export function* planMerge(owner: Owner, id: string, request: Request): Doing {
  const { world } = owner;
  const { gate } = laneOf(owner.state, id);
  const refuse = (reason: string) =>
    owner.append({ type: 'merge.refused', lane: id, request: request.id, reasons: [reason] });
  const head = world.tip(id) ?? '';
  if (gate?.status !== 'passed') return refuse('The gate has not passed.');
  if (head !== gate.head) return refuse('The lane moved after its gate passed.');
  yield;
  const from = world.target;
  const { target } = owner.state;
  if (world.git.isAncestor(head, from)) {
    if (from !== target.sha)
      owner.append({ type: 'target.moved', target: target.ref, from: target.sha, to: from });
    yield;
    return owner.append({ type: 'merge.applied', lane: id, target: target.ref, from, to: from });
  }
  if (from !== target.sha)
    owner.append({ type: 'target.moved', target: target.ref, from: target.sha, to: from });
  if (!goesWell(world.scenario, 'conflict', `${id} ${owner.state.lanes.length}`))
    return refuse('It conflicts.');
  yield;
  const commit = world.git.commit([from, head]);
  yield;
  checkLock(world);
  world.mergeTree = commit;
  yield;
  const made = { target: target.ref, from, head, commit, tree: `tree of ${commit}` };
  owner.append({ type: 'merge.planned', lane: id, request: request.id, ...made });
}

/** Moves the target from exactly where the merge was planned; one that has the commit already is fine. */
export function* applyMerge(owner: Owner, id: string): Doing {
  const { world } = owner;
  const { merge } = laneOf(owner.state, id);
  if (merge?.made === undefined) throw new Error(`no merge of lane ${id} was planned`);
  const { target, from, commit } = merge.made;
  if (!world.git.isAncestor(commit, world.target)) {
    if (world.target !== from) {
      const reasons = ['The target moved in the meantime.'];
      return owner.append({ type: 'merge.refused', lane: id, request: merge.request, reasons });
    }
    checkLock(world);
    checkEvidence(world, merge.made);
    world.target = commit;
  }
  yield;
  owner.append({ type: 'merge.applied', lane: id, target, from, to: commit });
}

/** Gives the merge up; a target that had moved already stays so. */
export function* stopMerge(owner: Owner, id: string): Doing {
  const { world } = owner;
  const lane = laneOf(owner.state, id);
  const step = world.processes.all.get(pendingStep(lane, owner.state.plan) ?? '');
  if (step !== undefined) step.stopFile = true;
  yield;
  if (lane.merge?.made === undefined) throw new Error(`no merge of lane ${id} was planned`);
  const { target, from, commit } = lane.merge.made;
  if (world.git.isAncestor(commit, world.target))
    return owner.append({ type: 'merge.applied', lane: id, target, from, to: commit });
  owner.append({
    type: 'merge.refused',
    lane: id,
    request: lane.merge.request,
    reasons: ['It was stopped.'],
  });
}
