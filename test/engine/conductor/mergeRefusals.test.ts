import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../../../src/core/run/request.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** Each lane here passed its gate; `mainJob.test.ts` shows such a lane merged. */
describe('what a merge is refused for', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  /** Brings a lane to ready, does something to the repository, and asks for the merge. */
  async function mergeAfter(
    steps: unknown[],
    act: (lanePath: string) => void,
    more: object = {},
  ): Promise<Answer> {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'job', steps, paths: ['**'] }], more),
    });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'ready');
    act(lane.path ?? '');
    const answer = await kit.request(run, { do: 'merge', lane: 'job' });
    assert.equal((await kit.findLane('job')).state, answer.ok ? 'merged' : 'ready');
    return answer;
  }

  const commitTo = (file: string, text: string) => {
    world.write(file, text);
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', file);
  };

  it('refuses a conflict, naming the file, and moves nothing', async () => {
    let tip = '';
    const answer = await mergeAfter([writes('app.txt', 'lane\n')], () => {
      commitTo('app.txt', 'main\n');
      tip = world.git('rev-parse', 'main');
    });
    assert.equal(answer.ok, false);
    assert.match(answer.message, /conflict.*app\.txt/);
    assert.equal(world.git('rev-parse', 'main'), tip);
  });

  it('refuses to overwrite what the user has not committed, and merges past other files', async () => {
    const dirty = await mergeAfter([writes('app.txt', 'lane\n')], () =>
      world.write('app.txt', 'mine, unsaved to git\n'),
    );
    assert.equal(dirty.ok, false);
    assert.match(dirty.message, /app\.txt/);
    assert.equal(readFileSync(join(world.repo, 'app.txt'), 'utf8'), 'mine, unsaved to git\n');
    await world.dispose();
    world = new DemoWorld();
    const other = await mergeAfter([writes('job.txt')], () =>
      world.write('app.txt', 'mine, unsaved to git\n'),
    );
    assert.ok(other.ok, other.message);
    assert.equal(readFileSync(join(world.repo, 'app.txt'), 'utf8'), 'mine, unsaved to git\n');
  });

  it('refuses when the merged tree fails the gate that each side passes', async () => {
    const gate = [{ name: 'check', run: 'test ! -e one.txt || test ! -e two.txt' }];
    const answer = await mergeAfter([writes('one.txt')], () => commitTo('two.txt', 'two\n'), { gate });
    assert.equal(answer.ok, false);
    assert.match(answer.message, /gate failed on the merged tree/);
    assert.throws(() => world.git('show', 'main:one.txt'));
  });

  it('refuses a lane that moved after its gate, and merges it after the gate ran again', async () => {
    const stale = await mergeAfter([writes('job.txt')], (path) => {
      writeFileSync(join(path, 'job.txt'), 'by hand\n');
      world.git('-C', path, 'commit', '--quiet', '-am', 'by hand');
    });
    assert.equal(stale.ok, false);
    assert.match(stale.message, /run the gate again/);
    const kit = await world.kit();
    const { run } = await kit.findLane('job');
    assert.ok((await kit.request(run, { do: 'gate', lane: 'job' })).ok);
    await (
      await kit.resumeRun(run)
    ).atRest;
    const answer = await kit.request(run, { do: 'merge', lane: 'job' });
    assert.ok(answer.ok, answer.message);
    assert.equal(world.git('show', 'main:job.txt'), 'by hand');
  });

  it('refuses when the target moved since the merge was shown, and tells the move', async () => {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]),
    });
    await atRest;
    const { from } = await kit.planMerge('job');
    commitTo('elsewhere.txt', 'x\n');
    const answer = await kit.request(run, { do: 'merge', lane: 'job', expect: from });
    assert.equal(answer.ok, false);
    assert.match(answer.message, /moved/);
    assert.equal((await kit.readRun(run)).target_moves.length, 1);
    const { from: now } = await kit.planMerge('job');
    const again = await kit.request(run, { do: 'merge', lane: 'job', expect: now });
    assert.ok(again.ok, again.message);
  });
});
