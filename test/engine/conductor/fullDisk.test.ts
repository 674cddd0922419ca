import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** Home, state, repository and lanes lie on a disk of 24 MB of its own, which is filled at will. */
describe('runs on a disk that is full (a tmpfs that the test mounts; left out where it may not mount)', function () {
  this.timeout(240_000);
  const disk = mkdtempSync(join(tmpdir(), 'agentkit disk '));
  let world: DemoWorld;
  let kit: AgentKit;
  let mounted = false;

  before(function () {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'agentkit-test', disk], { stdio: 'pipe' });
      mounted = true;
    } catch {
      this.skip();
    }
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = disk;
    world = new DemoWorld();
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });
  beforeEach(async () => {
    kit = await world.kit('editor');
  });
  after(async () => {
    if (mounted) {
      await world.dispose();
      execFileSync('umount', [disk]);
    }
    rmSync(disk, { recursive: true });
  });

  const filler = () => join(disk, 'filler');
  /** Leaves so many bytes. */
  function fill(left: number): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler(), Buffer.alloc(Math.max(0, bavail * bsize - left)));
  }
  function free(): void {
    rmSync(filler(), { force: true });
  }

  async function ready(id: string): Promise<{ run: string; folder: string; path: string }> {
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id, steps: [writes(`${id}.txt`)] }]) });
    const view = await atRest;
    const [lane] = view.lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join());
    return { run, folder: view.folder, path: lane.path ?? '' };
  }

  it('name the file that cannot be written, keep their journal, and go on once there is room', async () => {
    const { run, folder } = await ready('journal');
    const file = join(folder, 'journal.jsonl');
    const before = readFileSync(file, 'utf8');
    fill(0);
    await assert.rejects(kit.request(run, { do: 'gate', lane: 'journal' }), {
      message: /requests.*\.json cannot be written: .*ENOSPC/,
    });
    // Whichever file it comes to first: the report, or the journal once its last block is full.
    await assert.rejects(async () => (await kit.resumeRun(run)).atRest, {
      message: /^\/.* cannot be written: ENOSPC/,
    });
    assert.ok(readFileSync(file, 'utf8').startsWith(before));
    assert.equal((await kit.findLane('journal')).state, 'ready', 'what is there can be looked at');
    free();
    const merged = await kit.request(run, { do: 'merge', lane: 'journal' });
    assert.ok(merged.ok, merged.message);
    assert.equal(world.git('show', 'main:journal.txt'), 'journal.txt');
  });

  it('keep a lane whose work cannot be rescued for want of space, and let it go when it can', async () => {
    const { path } = await ready('rescue');
    const work = randomBytes(3_000_000);
    writeFileSync(join(path, 'work.bin'), work);
    fill(1_000_000);
    const refused = await kit.lanes.discard('rescue');
    assert.equal(refused.ok, false);
    assert.match(refused.message, /No space left|ENOSPC|write error|unable to write/i);
    assert.deepEqual(readFileSync(join(path, 'work.bin')), work);
    assert.notEqual((await kit.findLane('rescue')).state, 'dropped');
    free();
    const answer = await kit.lanes.discard('rescue');
    assert.ok(answer.ok, answer.message);
    assert.ok(!existsSync(path));
    const back = await kit.lanes.restore('rescue');
    assert.deepEqual(readFileSync(join(back.path ?? '', 'work.bin')), work);
    await kit.lanes.discard(back.lane);
  });

  it('block a lane that does not fit, leave nothing of it, and make it when it fits', async () => {
    world.git('checkout', '--quiet', '-b', 'large');
    writeFileSync(join(world.repo, 'large.bin'), randomBytes(3_000_000));
    world.git('add', 'large.bin');
    world.git('commit', '--quiet', '-m', 'large');
    world.git('checkout', '--quiet', 'main');
    fill(1_500_000);
    const text = world.plan([{ id: 'large', steps: [writes('large.txt')] }], { base: 'large' });
    const { run, atRest } = await kit.startRun({ text });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'blocked');
    assert.match(lane.why_not.join(), /No space left|ENOSPC|unable to write/i);
    assert.equal(world.git('branch', '--list', 'lane/large'), '');
    assert.ok(!world.git('worktree', 'list').includes('large ]'));
    free();
    const answer = await kit.request(run, { do: 'retry', lane: 'large' });
    assert.ok(answer.ok, answer.message);
    const [made] = (await (await kit.resumeRun(run)).atRest).lanes;
    assert.equal(made?.state, 'ready', made?.why_not.join());
  });

  it('read the quota all the same when the cache of it cannot be written', async () => {
    fill(0);
    const readings = await kit.usage({ maxAgeS: 0 });
    assert.deepEqual(
      readings.map(({ status }) => status),
      ['ok', 'ok', 'ok'],
    );
    free();
    assert.equal((await kit.usage({ maxAgeS: 0 })).length, 3);
  });
});
