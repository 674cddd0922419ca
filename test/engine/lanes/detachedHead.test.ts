import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('lanes by hand where no branch is checked out, and none is called main or master', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    world.write('agentkit.yaml', 'version: 1\ngate:\n  - { name: check, run: "true" }\n');
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'gate');
    world.git('branch', '-m', 'trunk');
    world.git('checkout', '--quiet', '--detach');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  it('start from the commit that is, and say that there is no branch to merge them into yet', async () => {
    const [lane] = await kit.lanes.create(['first']);
    assert.equal(lane?.state, 'open', lane?.why_not.join(' '));
    assert.deepEqual(lane.base, { ref: 'HEAD', sha: world.git('rev-parse', 'HEAD') });
    assert.match(lane.warnings.join(), /none to merge into; switch to one .*git merge lane\/first/);
    assert.equal((await kit.readRun('manual')).target.ref, '');
  });

  it('are judged, and refused a merge with what helps, until a lane is made with a branch checked out', async () => {
    const { path } = await kit.findLane('first');
    writeFileSync(join(path!, 'first.txt'), 'work\n');
    await kit.request('manual', { do: 'gate', lane: 'first' });
    const deadline = performance.now() + 60_000;
    while ((await kit.findLane('first')).state !== 'ready') {
      assert.ok(performance.now() < deadline, (await kit.findLane('first')).why_not.join(' '));
      await pause(100);
    }
    const ready = await kit.findLane('first');
    assert.equal(ready.mergeable, false);
    assert.match(ready.why_not.join(), /none to merge into/);
    assert.match((await kit.planMerge('first')).whyNot.join(), /git merge lane\/first/);
    const refused = await kit.request('manual', { do: 'merge', lane: 'first' });
    assert.deepEqual([refused.ok, refused.reason], [false, 'refused']);
    assert.match(refused.message, /none to merge into/);

    world.git('switch', '--quiet', 'trunk');
    const [second] = await kit.lanes.create(['second']);
    assert.deepEqual([second?.state, second?.warnings], ['open', []]);
    assert.equal((await kit.readRun('manual')).target.ref, 'trunk');
    assert.equal((await kit.findLane('first')).mergeable, true);
    const merged = await kit.request('manual', { do: 'merge', lane: 'first' });
    assert.ok(merged.ok, merged.message);
    assert.equal(world.git('show', 'trunk:first.txt'), 'work');
  });
});
