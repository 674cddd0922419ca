import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('a lane whose folder is not where it was', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
    await kit.lanes.create(['seen', 'beside', 'away', 'asked', 'locked']);
  });
  after(() => world.dispose());

  const pathOf = async (lane: string) => (await kit.findLane(lane)).path!;

  const moves = {
    'by hand': (from: string, to: string) => renameSync(from, to),
    'with git': (from: string, to: string) => world.git('worktree', 'move', '--force', '--force', from, to),
  };
  for (const [how, move] of Object.entries(moves)) {
    it(`is looked at where it lies after it was moved ${how}, and stays there`, async () => {
      const path = await pathOf('seen');
      const to = `${path} moved`;
      writeFileSync(join(path, 'draft.txt'), 'draft\n');
      const before = await kit.lanes.previewDiscard('seen');
      assert.deepEqual([before.untracked, before.not_kept, before.why_not], [['draft.txt'], [], []]);
      move(path, to);
      const preview = await kit.lanes.previewDiscard('seen');
      assert.deepEqual(preview, { ...before, path: to });
      assert.deepEqual((await kit.lanes.clean({ merged: false, dryRun: true })).removed, []);
      assert.ok(existsSync(join(to, 'draft.txt')) && !existsSync(path));
      const guest = spawn('sleep', ['600'], { cwd: to, stdio: 'ignore' });
      try {
        await once(guest, 'spawn');
        const { processes, why_not: whyNot } = await kit.lanes.previewDiscard('seen');
        assert.deepEqual(
          processes.map(({ pid }) => pid),
          [guest.pid],
        );
        assert.match(whyNot.join(), /^Process \d+ .* works in .* moved; end it/);
      } finally {
        const ended = once(guest, 'exit');
        guest.kill('SIGKILL');
        await ended;
      }
      assert.equal(existsSync(path), false);
      move(to, path);
    });
  }

  it('is put back before it is discarded when it was only renamed, so that all of it is kept', async () => {
    const path = await pathOf('beside');
    writeFileSync(join(path, 'draft.txt'), 'draft\n');
    renameSync(path, `${path}-renamed`);
    const answer = await kit.lanes.discard('beside');
    assert.ok(answer.ok, answer.message);
    assert.match(answer.message, /All it held is in refs/);
    assert.ok(answer.message.includes(`had been moved to ${path}-renamed and was put back first`));
    assert.ok(!existsSync(path) && !existsSync(`${path}-renamed`));
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'draft\n');
  });

  it('is discarded without its folder only where that loss is accepted, and comes back with what its index has', async () => {
    const path = await pathOf('away');
    writeFileSync(join(path, 'draft.txt'), 'draft\n');
    mkdirSync(join(world.root, 'elsewhere'));
    renameSync(path, join(world.root, 'elsewhere', 'away'));
    assert.match((await kit.lanes.previewDiscard('away')).not_kept.join(), /its folder was gone/);
    const refused = await kit.lanes.discard('away');
    assert.equal(refused.ok, false);
    assert.match(refused.message, /its folder was gone.*Put the folder back/);
    assert.equal((await kit.findLane('away')).state, 'open');
    const answer = await kit.lanes.discard('away', { acceptsLoss: true });
    assert.ok(answer.ok, answer.message);
    assert.doesNotMatch(answer.message, /All it held/);
    assert.match(answer.message, /Its folder was gone; only branch, index and HEAD are kept/);
    rmSync(join(world.root, 'elsewhere'), { recursive: true });
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(readFileSync(join(back.path!, 'app.txt'), 'utf8'), 'start\n');
    assert.match(back.warnings.join(), /folder had been gone/);
  });

  it('is refused with the cure where its .git leads elsewhere, and goes once that is mended', async () => {
    const path = await pathOf('asked');
    const link = readFileSync(join(path, '.git'), 'utf8');
    writeFileSync(join(path, '.git'), 'gitdir: /nowhere/.git/worktrees/asked\n');
    assert.match((await kit.lanes.previewDiscard('asked')).why_not.join(), /git worktree repair/);
    const refused = await kit.lanes.discard('asked');
    assert.equal(refused.ok, false);
    assert.match(refused.message, /git worktree repair/);
    writeFileSync(join(path, '.git'), link);
    const answer = await kit.lanes.discard('asked');
    assert.ok(answer.ok, answer.message);
  });

  it('is removed although its ports cannot be released, which is told besides and not as still there', async () => {
    const ports = join(world.root, 'state', 'agentkit', 'ports.json');
    mkdirSync(join(world.root, 'state', 'agentkit'), { recursive: true });
    writeFileSync(ports, '{ damaged');
    const path = await pathOf('locked');
    const answer = await kit.lanes.discard('locked');
    assert.ok(answer.ok, answer.message);
    assert.match(answer.message, /ports stay reserved: .*ports\.json/);
    assert.doesNotMatch(answer.message, /Still there/);
    assert.ok(!existsSync(path));
    rmSync(ports);
    const [again] = await kit.lanes.create(['locked']);
    const next = await kit.lanes.discard(again!.lane);
    assert.ok(next.ok && !/Besides/.test(next.message), next.message);
  });
});
