import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';

describe('lanes made by hand', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    world.write('agentkit.yaml', 'version: 1\ngate:\n  - { name: check, run: sh check.sh }\n');
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'gate');
    // Where the editor trusts the workspace, its gate may run.
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  it('stand in the standing run, from the base that was named, and are judged and merged like others', async () => {
    world.git('branch', 'older');
    const [lane] = await kit.lanes.create(['hand'], { base: 'older' });
    assert.equal(lane?.state, 'open');
    assert.equal(lane.run, 'manual');
    assert.deepEqual(lane.base, { ref: 'older', sha: world.git('rev-parse', 'older') });
    assert.deepEqual(lane.warnings, []);
    assert.equal((await kit.readRun('manual')).status, 'done');
    assert.ok(!existsSync(join(world.repo, 'plans')), 'a standing run writes no report');
  });

  it('have names that no other lane has, and that a new run takes no more', async () => {
    await assert.rejects(kit.lanes.create(['fresh', 'hand']), { reason: 'conflict', message: /hand/ });
    await assert.rejects(kit.lanes.create(['Bad Name']), { reason: 'invalid_input' });
    await assert.rejects(kit.lanes.create([]), { reason: 'usage' });
    const { lanes } = await kit.readRun('manual');
    assert.deepEqual(
      lanes.map(({ lane }) => lane),
      ['hand'],
      'of several none is made when one cannot be',
    );
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'hand', steps: [writes('hand.txt')] }]),
    });
    const view = await atRest;
    assert.equal(view.lanes[0]?.lane, `${run}/hand`);
    assert.equal((await kit.findLane('hand')).run, 'manual');
  });

  it('are not taken away while somebody works inside, and are when they have left', async () => {
    const { path } = await kit.findLane('hand');
    writeFileSync(join(path!, 'draft.txt'), 'of a person\n');
    const shell = spawn('sleep', ['600'], { cwd: path!, stdio: 'ignore' });
    try {
      const preview = await kit.lanes.previewDiscard('hand');
      assert.deepEqual(preview.untracked, ['draft.txt']);
      assert.match(preview.why_not.join(' '), new RegExp(`Process ${shell.pid} `));
      const refused = await kit.lanes.discard('hand');
      assert.equal(refused.ok, false);
      assert.match(refused.message, new RegExp(`Process ${shell.pid} `));
      assert.ok(existsSync(join(path!, 'draft.txt')));
      const lane = await kit.findLane('hand');
      assert.deepEqual([lane.state, lane.rescues], ['open', []], 'nothing is made of what stays');
    } finally {
      shell.kill('SIGKILL');
      await once(shell, 'close');
    }
    const answer = await kit.lanes.discard('hand');
    assert.ok(answer.ok, answer.message);
    assert.ok(!existsSync(path!));
  });

  it('can have the name of a closed one, whose rescue stays to be found and can be given up', async () => {
    const [again] = await kit.lanes.create(['hand']);
    assert.equal(again?.state, 'open');
    const [kept] = await kit.lanes.rescues();
    assert.equal(kept?.lane, 'hand');
    const back = await kit.lanes.restore('hand');
    assert.equal(back.lane, 'hand-2', 'its old name is in use');
    assert.ok(existsSync(join(back.path!, 'draft.txt')));
    await kit.lanes.dropRescue(kept.ref);
    assert.deepEqual(await kit.lanes.rescues(), []);
    await assert.rejects(kit.lanes.restore(kept.ref), { reason: 'not_found' });
    await assert.rejects(kit.lanes.dropRescue('refs/heads/main'), { reason: 'not_found' });
    // Whoever takes the run over does not make again what was given up.
    await (
      await kit.resumeRun('manual')
    ).atRest;
    assert.deepEqual(await kit.lanes.rescues(), []);
  });

  it('are cleaned up once merged, and not before', async () => {
    const lane = await kit.findLane('hand-2');
    rmSync(join(lane.path!, 'draft.txt'));
    writeFileSync(join(lane.path!, 'hand.txt'), 'work\n');
    await kit.request('manual', { do: 'gate', lane: 'hand-2' });
    const deadline = performance.now() + 60_000;
    while ((await kit.findLane('hand-2')).state !== 'ready') {
      assert.ok(performance.now() < deadline, (await kit.findLane('hand-2')).why_not.join(' '));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.deepEqual((await kit.lanes.clean({ merged: true, dryRun: false })).removed, []);
    const merged = await kit.request('manual', { do: 'merge', lane: 'hand-2' });
    assert.ok(merged.ok, merged.message);
    const dry = await kit.lanes.clean({ merged: true, dryRun: true });
    assert.deepEqual(
      dry.removed.map((each) => each.lane),
      ['hand-2'],
    );
    assert.ok(existsSync(lane.path!));
    const { removed, kept } = await kit.lanes.clean({ merged: true, dryRun: false });
    assert.deepEqual(kept, []);
    assert.deepEqual(removed, [
      {
        lane: 'hand-2',
        run: 'manual',
        path: lane.path,
        rescue: null,
        branch: 'deleted',
        left: [],
        warnings: [],
      },
    ]);
    assert.ok(!existsSync(lane.path!));
    assert.equal((await kit.findLane('hand-2')).state, 'merged');
  });

  it('say so when their base has what the branch that they are merged into has not', async () => {
    world.git('branch', 'feature', world.git('commit-tree', '-p', 'main', '-m', 'more', 'main^{tree}'));
    const [lane] = await kit.lanes.create(['from-feature'], { base: 'feature' });
    assert.deepEqual(lane?.warnings, ['It will be merged into main, which then has all of feature too.']);
    const answer = await kit.lanes.discard('from-feature');
    assert.ok(answer.ok, answer.message);
  });

  it('are not committed by their gate where that would lose a version that is staged, and else are', async () => {
    const [lane] = await kit.lanes.create(['staged']);
    const git = (...args: string[]) => world.git('-C', lane!.path!, ...args);
    const gated = async () => {
      await kit.request('manual', { do: 'gate', lane: 'staged' });
      return poll('an end of the gate', 60_000, async () => {
        const view = await kit.findLane('staged');
        return view.state === 'verifying' ? undefined : view;
      });
    };
    writeFileSync(join(lane!.path!, 'file.txt'), 'one\n');
    git('add', 'file.txt');
    writeFileSync(join(lane!.path!, 'file.txt'), 'two\n');
    const refused = await gated();
    assert.match(refused.why_not.join(), /staged in another version than the folder has: file\.txt/);
    assert.equal(git('show', ':file.txt'), 'one');
    git('add', 'file.txt');
    await gated();
    assert.equal(git('show', 'HEAD:file.txt'), 'two');
    assert.equal(git('log', '-1', '--format=%s'), 'staged: what was not committed yet');
    await kit.lanes.discard('staged');
  });
});
