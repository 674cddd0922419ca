import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { archiveLimit } from '../../../src/engine/conductor/archiveLimit.ts';
import { attemptMark } from '../../../src/engine/process/attemptMark.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

/** Each lane has an untracked copy of `.env`, and a teardown that writes where it finds something to add to. */
describe('what is in a lane when it is taken away', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let lanes: Map<string, LaneView>;

  before(async () => {
    world = new DemoWorld(['one']);
    world.write('.gitignore', '*.img\n');
    world.write('.env', 'KEY=of the person\n');
    const teardown = ['test ! -e notes.txt || echo torn down >> notes.txt'];
    const gate = [{ name: 'check', run: 'true' }];
    world.write(
      'agentkit.yaml',
      JSON.stringify({ version: 1, gate, worktree: { copy: ['.env'], teardown } }),
    );
    world.git('add', '.gitignore', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
    const made = await kit.lanes.create(['torn', 'busy', 'large', 'merged', 'plain']);
    lanes = new Map(made.map((lane) => [lane.lane, lane]));
  });
  after(() => world.dispose());

  const pathOf = (lane: string, ...below: string[]) => join(lanes.get(lane)?.path ?? '', ...below);

  /** An ignored file that takes no room on the disk, and has one byte more than an archive may. */
  function makeTooLarge(lane: string): void {
    writeFileSync(pathOf(lane, 'disk.img'), '');
    truncateSync(pathOf(lane, 'disk.img'), archiveLimit + 1);
  }

  async function discarded(lane: string): Promise<LaneView> {
    const answer = await kit.lanes.discard(lane);
    assert.ok(answer.ok, answer.message);
    assert.ok(!existsSync(pathOf(lane)));
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(back.state, 'open', back.why_not.join(' '));
    return back;
  }

  it('is kept as its teardown left it', async () => {
    writeFileSync(pathOf('torn', 'notes.txt'), 'work\n');
    const back = await discarded('torn');
    assert.equal(readFileSync(join(back.path!, 'notes.txt'), 'utf8'), 'work\ntorn down\n');
  });

  it('stays while a process of the lane outlives its teardown, and goes once that has ended', async () => {
    const env = { PATH: process.env['PATH'], [attemptMark]: 'manual/busy/0' };
    // A child of the owner of the run is nobody's orphan.
    const child = spawn('sleep', ['600'], { cwd: world.root, env, stdio: 'ignore' });
    const ended = once(child, 'close');
    try {
      const refused = await kit.lanes.discard('busy');
      assert.equal(refused.ok, false);
      assert.match(refused.message, new RegExp(`teardown .* left processes running: ${child.pid}; end them`));
      assert.ok(existsSync(pathOf('busy')));
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    await discarded('busy');
  });

  it('is not taken where it is too large to be kept, until the person accepts that', async () => {
    makeTooLarge('large');
    const told = /disk\.img.* over the limit of \d+ bytes: 1 file/;
    assert.match((await kit.lanes.previewDiscard('large')).not_kept.join(), told);
    const refused = await kit.lanes.discard('large');
    assert.equal(refused.ok, false);
    assert.match(refused.message, told);
    assert.ok(existsSync(pathOf('large', 'disk.img')));
    const answer = await kit.lanes.discard('large', { acceptsLoss: true });
    assert.ok(answer.ok, answer.message);
    assert.match(answer.message, /What could be kept of it is in .*, without disk\.img/);
  });

  describe('after its merge', () => {
    before(async () => {
      for (const lane of ['merged', 'plain']) {
        writeFileSync(pathOf(lane, `${lane}.txt`), 'work\n');
        assert.ok((await kit.request('manual', { do: 'gate', lane })).ok);
        await poll(`lane ${lane} that is ready`, 60_000, async () =>
          (await kit.findLane(lane)).state === 'ready' ? true : undefined,
        );
        const merged = await kit.request('manual', { do: 'merge', lane });
        assert.ok(merged.ok, merged.message);
      }
    });

    it('is not cleaned up where something else is too large to be kept', async () => {
      makeTooLarge('merged');
      for (const dryRun of [true, false]) {
        const { kept } = await kit.lanes.clean({ merged: true, dryRun });
        assert.match(kept.find(({ lane }) => lane === 'merged')?.reasons.join() ?? '', /disk\.img/);
      }
      assert.ok(existsSync(pathOf('merged', 'disk.img')));
      rmSync(pathOf('merged', 'disk.img'));
    });

    it('is no reason to stay where it is only what was placed there', async () => {
      assert.ok(!existsSync(pathOf('plain')), 'the clean-up took it away too');
      assert.deepEqual((await kit.findLane('plain')).removed?.left, []);
    });

    it('is rescued where what was placed there has been changed', async () => {
      writeFileSync(pathOf('merged', '.env'), 'KEY=of the lane\n');
      const { removed, kept } = await kit.lanes.clean({ merged: true, dryRun: false });
      assert.deepEqual(kept, []);
      const [merged] = removed;
      assert.ok(merged?.rescue, 'it was not rescued');
      const back = await kit.lanes.restore(merged.rescue);
      assert.equal(readFileSync(join(back.path!, '.env'), 'utf8'), 'KEY=of the lane\n');
    });
  });
});
