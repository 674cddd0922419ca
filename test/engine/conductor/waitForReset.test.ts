import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  for (const on_limit of ['continue', 'handover', 'restart'])
    it(`goes on with the very job that met the limit, under its one account: on_limit ${on_limit}`, async () => {
      const steps = [
        { append: { path: 'job.txt', content: 'first\n' } },
        { limit: { ...limit.limit, resets_in_s: 4 } },
        { append: { path: 'job.txt', content: 'second\n' } },
      ];
      const kit = await world.kit();
      const text = world.plan([{ id: 'job', steps }], { when_empty: 'wait', on_limit });
      const [lane] = (await (await kit.startRun({ text })).atRest).lanes;
      assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
      const [one, two] = lane.attempts;
      assert.deepEqual([lane.attempts.length, one?.account], [2, two?.account]);
      assert.equal(one?.session_id === two?.session_id, on_limit === 'continue');
      const job = readFileSync(join(lane.path!, 'job.txt'), 'utf8');
      assert.equal(job, on_limit === 'handover' ? 'first\nfirst\nsecond\n' : 'first\nsecond\n');
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
