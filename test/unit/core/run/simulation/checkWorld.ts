import assert from 'node:assert/strict';
import type { MergeState } from '../../../../../src/core/run/runState.ts';
import type { World } from './world.ts';

/** Invariants of what truly goes on, whatever the journal says. */
export function checkWorld(world: World): void {
  const { plan } = world.scenario;
  const agents = world.processes.agents();
  const accounts = agents.map(({ account = '' }) => account);
  assert.equal(new Set(accounts).size, accounts.length, `two writers on one account: ${accounts.join(', ')}`);
  const shared = accounts.find((account) => world.foreign.has(account));
  assert.equal(shared, undefined, `another run writes under ${shared} too`);
  const lanes = agents.map(({ lane }) => lane);
  assert.equal(new Set(lanes).size, lanes.length, `two writers in one worktree: ${lanes.join(', ')}`);
  assert.ok(agents.length <= (plan.concurrency ?? Infinity), 'more writers than places');
  for (const [folder, { starts }] of world.processes.all)
    assert.ok(starts <= 1, `${folder} was started ${starts} times`);
}

/** The merge worktree and the target are touched only under the lock. */
export function checkLock(world: World): void {
  assert.equal(world.mergeLock, 'ours', 'a merge without the lock');
}

/** At rest an owner has given back every account; it may live on as a window. */
export function checkLeases(world: World): void {
  const kept = [...world.leases].filter(([, lease]) => lease.process === world.owner);
  assert.deepEqual(kept, [], 'an account is held for nobody');
}

/** At the moment a target is moved: the gate truly passed on the lane's head and on the merge commit. */
export function checkEvidence(world: World, made: NonNullable<MergeState['made']>): void {
  assert.deepEqual(world.commits.get(made.commit), [made.from, made.head], 'not the merge that was planned');
  for (const commit of [made.head, made.commit]) {
    for (const { name } of world.scenario.plan.gate) {
      assert.ok(world.evidence.get(commit)?.has(name), `merged, but ${name} did not pass on ${commit}`);
    }
  }
}
