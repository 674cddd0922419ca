import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld, writes } from './demoWorld.ts';

describe('the main job', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  it('takes jobs through worktrees, agents and gate, and merges what passes', async () => {
    const kit = await world.kit();
    const plan = world.plan([
      { id: 'good', steps: [writes('good.txt')] },
      { id: 'bad', steps: [writes('bad.txt', 'BROKEN\n')] },
    ]);
    const { run, atRest } = await kit.startRun({ text: plan });
    const view = await atRest;
    assert.deepEqual(
      view.lanes.map(({ lane, state }) => [lane, state]),
      [
        ['good', 'ready'],
        ['bad', 'failed'],
      ],
    );
    assert.equal(view.status, 'failed');
    const accounts = view.lanes.map(({ account }) => account);
    assert.equal(new Set(accounts).size, 2, 'two writers under one account');

    const merge = await kit.planMerge('good');
    assert.deepEqual(merge.whyNot, []);
    assert.deepEqual(merge.files, ['good.txt']);
    const answer = await kit.request(run, { do: 'merge', lane: 'good', expect: merge.from });
    assert.ok(answer.ok, answer.message);
    assert.equal(readFileSync(join(world.repo, 'good.txt'), 'utf8'), 'good.txt\n');
    assert.equal(world.git('status', '--porcelain'), '');
    assert.equal((await kit.findLane('good')).merge_gate.status, 'passed');

    const refused = await kit.request(run, { do: 'merge', lane: 'bad' });
    assert.equal(refused.ok, false);
    assert.ok(!existsSync(join(world.repo, 'bad.txt')));
    assert.ok(existsSync(join(view.report, 'report.md')));
  });

  it('commits what the agent left inside its paths, with the trailer of the lane', async () => {
    const kit = await world.kit();
    const { atRest } = await kit.startRun({
      text: world.plan([{ id: 'good', steps: [writes('good.txt')] }]),
    });
    const [lane] = (await atRest).lanes;
    assert.equal(
      world.git('log', '-1', '--format=%(trailers:key=AgentKit-Lane,valueonly)', 'lane/good'),
      'good\n',
    );
    assert.equal(lane?.changes.commits, 1);
  });

  it('runs no more writers than there are accounts; the rest waits in the queue', async () => {
    await world.dispose();
    world = new DemoWorld(['only']);
    const kit = await world.kit();
    const jobs = ['a', 'b'].map((id) => ({ id, steps: [{ wait: 0.3 }, writes(`${id}.txt`)] }));
    const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
    const seen = new Set<string>();
    const watch = kit.watchRuns(() => {
      void kit.readRun(run).then(({ lanes }) => seen.add(lanes.map(({ state }) => state).join('+')));
    });
    const { lanes } = await atRest;
    watch.close();
    assert.deepEqual(
      lanes.map(({ state }) => state),
      ['ready', 'ready'],
    );
    const [a, b] = lanes.map(({ attempts }) => attempts[0]);
    assert.ok(a?.ended_at && b && a.ended_at <= b.started_at, 'the two attempts overlap');
  });

  it('starts a job that comes after another on the target with the other merged', async () => {
    const kit = await world.kit();
    const jobs = [
      { id: 'first', steps: [writes('first.txt')] },
      {
        id: 'second',
        steps: [{ append: { path: 'first.txt', content: 'more\n' } }],
        paths: ['first.txt'],
        depends_on: ['first'],
      },
    ];
    const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
    assert.deepEqual(
      (await atRest).lanes.map(({ state }) => state),
      ['ready', 'queued'],
    );
    assert.ok((await kit.request(run, { do: 'merge', lane: 'first' })).ok);
    const { atRest: later } = await kit.resumeRun(run);
    assert.deepEqual(
      (await later).lanes.map(({ state }) => state),
      ['merged', 'ready'],
    );
    assert.equal(world.git('show', 'lane/second:first.txt'), 'first.txt\nmore');
  });
});
