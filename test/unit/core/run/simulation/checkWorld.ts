import assert from 'node:assert/strict';
import type { MergeState, RunState } from '../../../../../src/core/run/runState.ts';
import { personsOwn, type World } from './world.ts';

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
  checkWork(world);
}

/** No work has vanished, and what is not ours is as it was. Looked at again only when something changed. */
function checkWork(world: World): void {
  const { git } = world;
  if (git.version === world.checked) return;
  world.checked = git.version;
  assert.deepEqual(git.lost(), [], 'work is lost');
  assert.deepEqual([...(git.worktrees.get(personsOwn)?.files ?? [])], ['of the person'], 'not ours to take');
  const nonces = [...git.worktrees.values()].map(({ nonce }) => nonce);
  assert.equal(new Set(nonces).size, nonces.length);
}

/** What a lane that is closed for good left stands nowhere but in its rescues, or in the target. */
export function checkRemoved(world: World, state: RunState): void {
  for (const { id, state: end, worktree, rescues } of state.lanes) {
    if (end === 'dropped') {
      assert.deepEqual([worktree, world.pathOf(id)], [undefined, undefined], `${id} was not taken away`);
      assert.ok(world.tip(id) === undefined, `the branch of ${id} is left`);
    }
    for (const { ref, commit } of rescues)
      assert.equal(world.git.refs.get(ref), commit, `${ref} does not hold what the journal says`);
  }
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
  assert.deepEqual(
    world.git.commits.get(made.commit)?.parents,
    [made.from, made.head],
    'not the merge that was planned',
  );
  for (const commit of [made.head, made.commit]) {
    for (const { name } of world.scenario.plan.gate) {
      assert.ok(world.evidence.get(commit)?.has(name), `merged, but ${name} did not pass on ${commit}`);
    }
  }
}
