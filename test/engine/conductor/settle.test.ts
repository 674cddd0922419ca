import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes, type JobOf } from './demoWorld.ts';

const secret = `ghp_${'a1B2'.repeat(9)}`;

describe('what a lane holds after its agent', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let run = '';
  beforeEach(async () => {
    world = new DemoWorld();
    kit = await world.kit();
  });
  afterEach(() => world.dispose());

  async function laneAfter(job: Partial<JobOf>, more: object = {}): Promise<LaneView> {
    const started = await kit.startRun({ text: world.plan([{ id: 'job', steps: [], ...job }], more) });
    run = started.run;
    await started.atRest;
    return kit.findLane('job');
  }

  async function again(what: 'gate' | 'retry'): Promise<LaneView> {
    const answer = await kit.request(run, { do: what, lane: 'job' });
    assert.ok(answer.ok, answer.message);
    await (
      await kit.resumeRun(run)
    ).atRest;
    return kit.findLane('job');
  }

  function hook(script: string): void {
    const file = join(world.repo, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  describe('is not committed', () => {
    it('when a hook says no: the lane failed with the words of the hook, its secrets hidden, and can be gated', async () => {
      hook(`echo "no: missing ticket ${secret}" >&2; exit 1`);
      const lane = await laneAfter({ steps: [writes('job.txt')] });
      assert.equal(lane.state, 'failed');
      assert.match(lane.why_not.join(), /refused the commit.*missing ticket \[redacted\]/s);
      const { folder } = await kit.readRun(run);
      assert.doesNotMatch(readFileSync(join(folder, 'journal.jsonl'), 'utf8'), /ghp_/);
      hook('exit 0');
      assert.equal((await again('gate')).state, 'ready');
    });

    it('without an identity, which it says, and is once there is one', async () => {
      world.git('config', 'user.name', '');
      const lane = await laneAfter({ steps: [writes('job.txt')] });
      assert.equal(lane.state, 'failed');
      assert.match(lane.why_not.join(), /Git does not know who commits/);
      assert.doesNotMatch(lane.why_not.join(), / failed: /);
      world.git('config', 'user.name', 'Test');
      assert.equal((await again('gate')).state, 'ready');
    });
  });

  describe('with a deleted worktree', () => {
    it('is made again from its branch by a retry; the gate alone names that cure', async () => {
      const lane = await laneAfter({ steps: [writes('job.txt'), { commit: 'half' }, { exit: 1 }] });
      const path = lane.path ?? '';
      rmSync(path, { recursive: true });
      const gated = await again('gate');
      assert.equal(gated.state, 'failed');
      assert.match(gated.why_not.join(), /is gone; retry the lane/);
      assert.equal((await again('retry')).attempts.length, 2);
      assert.equal(readFileSync(join(path, 'job.txt'), 'utf8'), 'job.txt\n');
      assert.equal(world.git('-C', path, 'symbolic-ref', '--short', 'HEAD'), 'lane/job');
      assert.equal((await again('gate')).state, 'ready');
    });

    it("is not made again over git's entry of a worktree that is not its own", async () => {
      const lane = await laneAfter({ steps: [writes('job.txt'), { commit: 'half' }, { exit: 1 }] });
      const path = lane.path ?? '';
      world.git('worktree', 'remove', '--force', '--force', path);
      world.git('worktree', 'add', '--quiet', '--detach', path);
      rmSync(path, { recursive: true });
      const blocked = await again('retry');
      assert.equal(blocked.state, 'blocked');
      assert.match(blocked.why_not.join(), /git worktree prune/);
      world.git('worktree', 'prune');
      assert.equal((await again('retry')).state, 'failed', 'its agent ran again');
      assert.ok(existsSync(join(path, 'job.txt')));
    });
  });

  describe('what looks like a secret', () => {
    for (const [what, steps] of Object.entries({
      'in its last commit': [writes('job.txt', secret), { commit: 'mine' }],
      'in an earlier commit': [
        writes('job.txt', secret),
        { commit: 'one' },
        writes('job.txt'),
        { commit: 'two' },
      ],
    })) {
      it(`refuses the lane when the agent committed it itself, ${what}`, async () => {
        const lane = await laneAfter({ steps });
        assert.equal(lane.state, 'failed');
        assert.match(lane.why_not.join(), /commits hold what looks like a secret: job\.txt \(.+\)/);
        assert.doesNotMatch(JSON.stringify(lane), /ghp_/);
      });
    }

    it('is no reason when the base had it already', async () => {
      world.write('known.txt', secret);
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', 'known');
      const lane = await laneAfter({ steps: [writes('job.txt'), { commit: 'mine' }] });
      assert.equal(lane.state, 'ready', lane.why_not.join());
    });
  });

  describe('what its gate left', () => {
    const run1 = 'if test -e gen/out.txt; then exit 0; fi; mkdir gen; echo x > gen/out.txt; exit 1';
    const gate = [{ name: 'check', run: run1 }];
    const job = { steps: [writes('job.txt')], paths: ['**'] };

    it('is not why the next gate passes, is no work, and is kept', async () => {
      assert.equal((await laneAfter(job, { gate })).state, 'failed');
      const lane = await again('gate');
      assert.equal(lane.state, 'failed', 'it passed because of what the first gate left');
      assert.equal(lane.changes.files, 1);
      const { folder } = await kit.readRun(run);
      assert.equal(readFileSync(join(folder, 'left', 'job', 'gate-1', 'gen', 'out.txt'), 'utf8'), 'x\n');
    });

    it('is work once somebody has changed it', async () => {
      const { path } = await laneAfter(job, { gate });
      writeFileSync(join(path ?? '', 'gen', 'out.txt'), 'mine\n');
      assert.equal((await again('gate')).state, 'ready');
      assert.equal(world.git('show', 'lane/job:gen/out.txt'), 'mine');
    });

    it('keeps no lane from its merge, unless somebody has changed it', async () => {
      const leaving = [{ name: 'check', run: 'echo x > out.txt' }];
      const { path } = await laneAfter(job, { gate: leaving });
      assert.deepEqual((await kit.planMerge('job')).whyNot, []);
      writeFileSync(join(path ?? '', 'out.txt'), 'mine\n');
      assert.match((await kit.planMerge('job')).whyNot.join(), /uncommitted work: out\.txt/);
    });
  });

  describe('with the target merged into it', () => {
    async function solve(more: () => void): Promise<LaneView> {
      const { path } = await laneAfter({ steps: [writes('app.txt', 'lane\n')], paths: ['app.txt'] });
      world.write('app.txt', 'main\n');
      world.write('other.txt', 'main\n');
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', 'on');
      assert.equal((await kit.request(run, { do: 'merge', lane: 'job' })).ok, false);
      assert.throws(() => world.git('-C', path ?? '', 'merge', '--quiet', 'main'));
      writeFileSync(join(path ?? '', 'app.txt'), 'both\n');
      more();
      world.git('-C', path ?? '', 'add', '.');
      world.git('-C', path ?? '', 'commit', '--quiet', '-m', 'solved');
      return again('gate');
    }

    it('is judged by its own changes alone, and merged', async () => {
      const lane = await solve(() => undefined);
      assert.equal(lane.state, 'ready', lane.why_not.join());
      assert.deepEqual([lane.changes.files, lane.changes.outside_paths], [1, []]);
      const answer = await kit.request(run, { do: 'merge', lane: 'job' });
      assert.ok(answer.ok, answer.message);
      assert.equal(world.git('show', 'main:app.txt'), 'both');
    });

    it('is still refused for what it changed outside its paths on the way', async () => {
      const lane = await solve(() =>
        writeFileSync(join(world.root, 'repo-lanes', 'job', 'other.txt'), 'mine\n'),
      );
      assert.equal(lane.state, 'failed');
      assert.deepEqual(lane.changes.outside_paths, ['other.txt']);
    });
  });
});
