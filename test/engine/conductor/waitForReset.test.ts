import assert from 'node:assert/strict';
import { DemoWorld, writes } from './demoWorld.ts';

describe('a run whose accounts are all at their limit', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  beforeEach(() => {
    world = new DemoWorld(['one']);
  });
  afterEach(() => world.dispose());

  const limit = { limit: { window: '5h', resets_in_s: 8, accounts: ['@one'] } };
  const jobs = [
    { id: 'first', steps: [limit] },
    { id: 'second', steps: [writes('second.txt')] },
  ];

  it('waits for the reset where the plan says so, then goes on', async () => {
    const kit = await world.kit();
    const { atRest } = await kit.startRun({ text: world.plan(jobs, { when_empty: 'wait' }) });
    const { lanes } = await atRest;
    assert.equal(lanes[1]?.state, 'ready', lanes[1]?.why_not.join(' '));
  });

  it('stops at once otherwise, and tells the soonest reset', async () => {
    const kit = await world.kit();
    const { atRest } = await kit.startRun({ text: world.plan(jobs) });
    const view = await atRest;
    assert.equal(view.lanes[1]?.state, 'blocked');
    assert.equal(view.status, 'failed');
    assert.deepEqual(
      view.spent?.map(({ account }) => account),
      ['demo/@one'],
    );
  });
});
