import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('two who make lanes by hand in the same moment', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kits: [AgentKit, AgentKit];

  before(async () => {
    world = new DemoWorld(['one']);
    kits = [await world.kit(), await world.kit()];
  });
  after(() => world.dispose());

  it('get no name twice, and whoever is late makes none of those that were asked for', async () => {
    const asked = [
      ['mine', 'shared'],
      ['shared', 'yours'],
    ];
    const made = await Promise.allSettled(kits.map((kit, index) => kit.lanes.create(asked[index] ?? [])));
    const late = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    assert.equal(late.length, 1);
    assert.match(String(late[0]), /There is a lane shared already/);
    const won = asked[made.findIndex(({ status }) => status === 'fulfilled')];
    const { lanes } = await kits[0].readRun('manual');
    assert.deepEqual(lanes.map(({ lane }) => lane).toSorted(), won?.toSorted());
    assert.ok(lanes.every(({ state }) => state === 'open'));
  });

  it('bring one rescue back as one lane', async () => {
    const { path } = await kits[0].findLane('shared');
    writeFileSync(join(path!, 'draft.txt'), 'work\n');
    const { rescue } = await kits[0].lanes.discard('shared');
    const [one, other] = await Promise.all(kits.map((kit) => kit.lanes.restore(rescue!)));
    assert.deepEqual([one?.lane, one?.state], ['shared', 'open']);
    assert.equal(other?.lane, one?.lane);
    assert.equal(readFileSync(join(one!.path!, 'draft.txt'), 'utf8'), 'work\n');
    assert.equal(world.git('branch', '--list', 'lane/shared*').split('\n').length, 1);
  });
});
