import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld, writes } from './demoWorld.ts';

const owner = join(import.meta.dirname, 'mortalOwner.ts');
/** The append that writes down a merge as planned, in the run of `mortalOwner`. */
const mergePlanned = 13;

describe('how a merge ends', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  const job = { id: 'job', steps: [writes('job.txt')] };

  async function ready(text: string): Promise<{ kit: AgentKit; run: string }> {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({ text });
    await atRest;
    const { state, why_not } = await kit.findLane('job');
    assert.equal(state, 'ready', why_not.join());
    return { kit, run };
  }

  async function untilMerging(kit: AgentKit): Promise<void> {
    const deadline = performance.now() + 30_000;
    while ((await kit.findLane('job')).merge_gate.status !== 'running') {
      assert.ok(performance.now() < deadline, 'the merge gate never runs');
      await pause(50);
    }
  }

  describe('when its owner died', () => {
    async function leftMerging(): Promise<{ kit: AgentKit; run: string }> {
      const { repo, dist, environment: env } = world;
      const die = { append: mergePlanned, when: 'after' };
      const orders = JSON.stringify({ repo, dist, plan: world.plan([job]), lane: 'job', die });
      await new Promise((resolve) => {
        execFile(process.execPath, [owner, orders], { env, timeout: 60_000 }, resolve);
      });
      const kit = await world.kit();
      const [view] = (await kit.listRuns()).runs;
      const journal = readFileSync(join(view?.folder ?? '', 'journal.jsonl'), 'utf8');
      assert.match(journal.trimEnd().split('\n').at(-1) ?? '', /"merge.planned"/, journal);
      assert.equal(view?.lanes[0]?.state, 'interrupted');
      assert.equal(view.status, 'interrupted', 'it does not show that nobody goes on with it');
      return { kit, run: view.run };
    }

    it('goes on with whoever asks for the merge again', async () => {
      const { kit, run } = await leftMerging();
      const plan = await kit.planMerge('job');
      assert.deepEqual(plan.whyNot, []);
      const answer = await kit.request(run, { do: 'merge', lane: 'job', expect: plan.from });
      assert.ok(answer.ok, answer.message);
      assert.equal(world.git('show', 'main:job.txt'), 'job.txt');
      assert.equal(world.git('rev-list', '--count', 'main'), '3', 'it was merged twice');
    });

    it('goes on with whoever resumes the run', async () => {
      const { kit, run } = await leftMerging();
      await (
        await kit.resumeRun(run)
      ).atRest;
      assert.equal((await kit.findLane('job')).state, 'merged');
      assert.equal((await kit.readRun(run)).status, 'done');
    });

    it('ends without a merge when it is stopped, and the lane can be merged later', async () => {
      const { kit, run } = await leftMerging();
      const before = world.git('rev-parse', 'main');
      assert.ok((await kit.request(run, { do: 'stopLane', lane: 'job' })).ok);
      await (
        await kit.resumeRun(run)
      ).atRest;
      assert.equal((await kit.findLane('job')).state, 'ready');
      assert.equal(world.git('rev-parse', 'main'), before);
      assert.ok((await kit.request(run, { do: 'merge', lane: 'job' })).ok);
    });
  });

  it('is refused as stopped when it is stopped during its gate, and nothing moves', async () => {
    // The merge worktree alone stands on no branch.
    const gate = [{ name: 'check', run: 'git symbolic-ref -q HEAD || exec tail -f /dev/null' }];
    const { kit, run } = await ready(world.plan([job], { gate }));
    const before = world.git('rev-parse', 'main');
    const merge = kit.request(run, { do: 'merge', lane: 'job' });
    await untilMerging(kit);
    assert.match((await kit.planMerge('job')).whyNot.join(), /is merging/, 'its owner lives');
    assert.ok((await kit.request(run, { do: 'stopLane', lane: 'job' })).ok);
    const answer = await merge;
    assert.equal(answer.ok, false);
    assert.match(answer.message, /stopped/);
    assert.equal((await kit.findLane('job')).state, 'ready');
    assert.equal(world.git('rev-parse', 'main'), before);
  });

  it('goes on for whoever else asked for it when one of them takes that back', async () => {
    const hold = join(world.root, 'hold');
    writeFileSync(hold, '');
    const check = 'git symbolic-ref -q HEAD || while test -e "$HOME/../hold"; do sleep 0.05; done';
    const { kit, run } = await ready(world.plan([job], { gate: [{ name: 'check', run: check }] }));
    const { signal, abort } = withSignal();
    const first = kit.request(run, { do: 'merge', lane: 'job' }, { signal });
    await untilMerging(kit);
    const second = kit.request(run, { do: 'merge', lane: 'job' });
    const journal = join((await kit.readRun(run)).folder, 'journal.jsonl');
    await poll('both', 30_000, () =>
      Promise.resolve(readFileSync(journal, 'utf8').includes('"merge.joined"') || undefined),
    );
    abort();
    await rejectsWith(first, 'cancelled', 'the merge of job had begun, and goes on with the run');
    rmSync(hold);
    const { ok, message } = await second;
    assert.ok(ok, message);
    assert.equal(world.git('show', 'main:job.txt'), 'job.txt');
  });

  it('is stopped when its only asker takes it back', async () => {
    const check = 'git symbolic-ref -q HEAD || exec tail -f /dev/null';
    const { kit, run } = await ready(world.plan([job], { gate: [{ name: 'check', run: check }] }));
    const before = world.git('rev-parse', 'main');
    const { signal, abort } = withSignal();
    const merge = kit.request(run, { do: 'merge', lane: 'job' }, { signal });
    await untilMerging(kit);
    abort();
    await rejectsWith(merge, 'cancelled', 'stopped');
    assert.equal((await kit.findLane('job')).state, 'ready');
    assert.equal(world.git('rev-parse', 'main'), before);
  });

  it('shows meanwhile that another waits its turn, which is merged then', async () => {
    const hold = join(world.root, 'hold');
    writeFileSync(hold, '');
    const run = 'git symbolic-ref -q HEAD || while test -e "$HOME/../hold"; do sleep 0.05; done';
    const jobs = [job, { id: 'other', steps: [writes('other.txt')] }];
    const { kit, run: id } = await ready(world.plan(jobs, { gate: [{ name: 'check', run }] }));
    const merges = [kit.request(id, { do: 'merge', lane: 'job' })];
    await untilMerging(kit);
    assert.equal((await kit.findLane('other')).mergeable, true);
    merges.push(kit.request(id, { do: 'merge', lane: 'other' }));
    const waits = await poll('a merge that waits', 30_000, async () => {
      const { mergeable, why_not } = await kit.findLane('other');
      return mergeable ? undefined : why_not;
    });
    assert.deepEqual(waits, ['its merge was asked for and waits its turn']);
    rmSync(hold);
    for (const { ok, message } of await Promise.all(merges)) assert.ok(ok, message);
    assert.equal(world.git('show', 'main:other.txt'), 'other.txt');
  });

  it('is merged without a move when somebody merged it by hand, and what comes after it begins', async () => {
    const after = { id: 'after', steps: [writes('after.txt')], depends_on: ['job'] };
    const { kit, run } = await ready(world.plan([job, after]));
    world.git('merge', '--quiet', '--no-ff', '-m', 'by hand', 'lane/job');
    const tip = world.git('rev-parse', 'main');
    assert.deepEqual((await kit.planMerge('job')).whyNot, []);
    const answer = await kit.request(run, { do: 'merge', lane: 'job' });
    assert.ok(answer.ok, answer.message);
    assert.equal(world.git('rev-parse', 'main'), tip);
    await (
      await kit.resumeRun(run)
    ).atRest;
    assert.equal((await kit.findLane('job')).state, 'merged');
    assert.equal((await kit.findLane('after')).state, 'ready');
    assert.equal((await kit.readRun(run)).target_moves.length, 1);
  });

  it('needs no worktree when somebody merged it by hand and cleaned up, but a commit that is in the target', async () => {
    const { kit, run } = await ready(world.plan([job]));
    const { path } = await kit.findLane('job');
    const head = world.git('rev-parse', 'lane/job');
    world.git('worktree', 'remove', '--force', '--force', path ?? '');
    world.git('branch', '--quiet', '-D', 'lane/job');
    assert.match((await kit.planMerge('job')).whyNot.join(), /lane\/job is gone too/);
    world.git('merge', '--quiet', '--ff-only', head);
    const answer = await kit.request(run, { do: 'merge', lane: 'job' });
    assert.ok(answer.ok, answer.message);
    assert.equal(world.git('rev-parse', 'main'), head);
  });

  it('is merged without a move when the job was to change nothing', async () => {
    const looks = { id: 'job', steps: [{ say: 'Looked.' }], expects: 'none' };
    const { kit, run } = await ready(world.plan([looks]));
    const tip = world.git('rev-parse', 'main');
    assert.ok((await kit.request(run, { do: 'merge', lane: 'job' })).ok);
    assert.equal((await kit.findLane('job')).state, 'merged');
    assert.equal(world.git('rev-parse', 'main'), tip);
  });

  describe('in a sparse checkout', () => {
    const sparse = (gate: object[] = [{ name: 'check', run: 'sh check.sh' }]) => {
      world.write('big/asset.txt', 'x\n');
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', 'big');
      world.git('sparse-checkout', 'set', '--no-cone', '/*', '!/big/');
      return ready(world.plan([job], { gate }));
    };

    it('merges', async () => {
      const { kit, run } = await sparse();
      const answer = await kit.request(run, { do: 'merge', lane: 'job' });
      assert.ok(answer.ok, answer.message);
      assert.equal(world.git('show', 'main:big/asset.txt'), 'x');
    });

    it('is refused when the gate on the merged tree hides files, and makes that worktree anew', async () => {
      const hide =
        'git symbolic-ref -q HEAD || test -e hid || git sparse-checkout set --no-cone "/*" "!/app.txt"';
      const { kit, run } = await sparse([{ name: 'check', run: hide }]);
      const answer = await kit.request(run, { do: 'merge', lane: 'job' });
      assert.equal(answer.ok, false);
      assert.match(answer.message, /changed tracked files: app\.txt/);
      assert.equal(
        (await kit.request(run, { do: 'merge', lane: 'job' })).ok,
        false,
        'it was taken as it was left',
      );
    });
  });

  it('tells of processes that a check left behind', async () => {
    // Not at once: what is seen below the check at its start belongs to its tree, and is ended with it.
    const gate = [{ name: 'check', run: 'sleep 0.7; (setsid sleep 30 > /dev/null 2>&1 &); sleep 0.3' }];
    const { kit } = await ready(world.plan([job], { gate }));
    const [warning = ''] = (await kit.findLane('job')).warnings;
    const [, pid] = /^Process (\d+) of check check left/.exec(warning) ?? [];
    assert.ok(pid, `no warning: ${warning}`);
    process.kill(Number(pid));
  });
});

function withSignal(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
