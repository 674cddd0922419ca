import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('a lane that is discarded and restored', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  before(() => {
    world = new DemoWorld();
  });
  after(() => world.dispose());

  it('is rescued first, then gone, and comes back with all that it held', async () => {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'one', steps: [writes('one.txt')] }]),
    });
    await atRest;
    const lane = await kit.findLane('one');
    assert.equal(lane.state, 'ready', lane.why_not.join());
    const path = lane.path!;
    writeFileSync(join(path, 'notes.md'), 'not committed\r\n');
    const answer = await kit.lanes.discard('one');
    assert.ok(answer.ok, answer.message);
    assert.ok(answer.rescue !== null && answer.message.includes(answer.rescue));
    const view = (await kit.readRun(run)).lanes[0]!;
    assert.equal(view.state, 'dropped');
    assert.equal(view.path, null);
    assert.deepEqual(view.removed?.left, []);
    assert.equal(view.removed?.branch, 'deleted');
    assert.ok(!existsSync(path));
    assert.equal(world.git('branch', '--list', 'lane/one'), '');

    const back = await kit.lanes.restore(answer.rescue);
    assert.equal(back.state, 'open', back.why_not.join());
    assert.equal(back.lane, 'one');
    assert.equal(back.run, 'manual');
    assert.equal(readFileSync(join(back.path!, 'notes.md'), 'utf8'), 'not committed\r\n');
    assert.equal(readFileSync(join(back.path!, 'one.txt'), 'utf8'), 'one.txt\n');
  });

  it('can be made by hand', async () => {
    const kit = await world.kit();
    const views = await kit.lanes.create(['alpha', 'beta']);
    assert.deepEqual(
      views.map(({ lane, state }) => [lane, state]),
      [
        ['alpha', 'open'],
        ['beta', 'open'],
      ],
    );
  });
});
