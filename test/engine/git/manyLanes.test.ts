import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { tipOf } from '../../../src/engine/git/resolveBase.ts';
import { listWorktrees } from '../../../src/engine/git/worktreeList.ts';
import { tryHold } from '../../../src/engine/store/lock.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

const run = promisify(execFile);

describe('many lanes at once', function () {
  this.timeout(120_000);
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository();
  });
  afterEach(() => repo.remove());

  /** Makes lanes in a process of its own. */
  async function make(lanes: readonly LaneRequest[]): Promise<string[]> {
    const script = join(import.meta.dirname, 'createLanes.ts');
    return JSON.parse((await run(process.execPath, [script, JSON.stringify(lanes)])).stdout) as string[];
  }

  function branches(): string[] {
    const names = repo.git(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/lane']);
    return names.split('\n').filter((name) => name !== '');
  }

  it('are all made by two processes, also while somebody holds the lock of the shared config', async () => {
    writeFileSync(join(repo.commonDir, 'config.lock'), '');
    const lanes = Array.from({ length: 20 }, (_, n) => repo.lane(`lane-${n}`));
    const ends = await Promise.all([make(lanes.slice(0, 10)), make(lanes.slice(10))]);
    assert.deepEqual(
      ends.flat(),
      lanes.map(() => 'made'),
    );
    for (const lane of lanes) assert.equal((await laneFacts(lane)).clean, true);
    assert.equal(branches().length, 20);
    assert.equal((await listWorktrees(repo.root)).length, 21);
  });

  it('leave nothing of the one whose ref somebody keeps locked, and say which lock it is', async () => {
    const lock = join(repo.commonDir, 'refs/heads/lane/lane-1.lock');
    mkdirSync(join(repo.commonDir, 'refs/heads/lane'), { recursive: true });
    writeFileSync(lock, '');
    const lanes = Array.from({ length: 3 }, (_, n) => repo.lane(`lane-${n}`));
    const [, failed] = await Promise.allSettled(lanes.map(createLane));
    assert.ok(failed?.status === 'rejected');
    assert.match(String(failed.reason), /lane-1\.lock': File exists/);
    assert.deepEqual(branches(), ['lane/lane-0', 'lane/lane-2']);
    assert.deepEqual(readdirSync(join(repo.commonDir, 'worktrees')), ['lane-0', 'lane-2']);
    rmSync(lock);
    await createLane(lanes[1]!);
    assert.equal((await laneFacts(lanes[1]!)).clean, true);
  });

  it('are registered one after another: none while somebody else has the turn', async () => {
    const held = tryHold(join(repo.commonDir, 'agentkit', 'lanes.lock'));
    assert.ok(held);
    const making = createLane(repo.lane('api'));
    const other = tempRepository();
    try {
      await createLane(other.lane('api'));
      assert.deepEqual(branches(), []);
    } finally {
      held.release();
      other.remove();
    }
    await making;
    assert.deepEqual(branches(), ['lane/api']);
  });

  it('give one lane to who asks for the same twice, and refuse another of its name', async () => {
    const log = join(repo.folder, 'ran');
    const hook = join(repo.commonDir, 'hooks', 'post-checkout');
    mkdirSync(join(repo.commonDir, 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho ran >> "${log}"\n`, { mode: 0o755 });
    // Slow enough that the second call comes in the middle of the first one's checkout.
    repo.git(['config', 'filter.slow.smudge', 'sleep 1; cat']);
    const lane = repo.lane('api', { base: repo.commit({ '.gitattributes': 'src/a.txt filter=slow\n' }) });
    await Promise.all([createLane(lane), createLane(lane)]);
    assert.equal(readFileSync(log, 'utf8'), 'ran\n');
    assert.deepEqual([branches(), (await listWorktrees(repo.root)).length], [['lane/api'], 2]);
    const ends = await Promise.all([make([lane]), make([repo.lane('API', { nonce: 'other' })])]);
    assert.equal(ends[0]?.[0], 'made');
    assert.match(ends[1]?.[0] ?? '', /lane\/API cannot be made beside the branch lane\/api/);
  });

  it('fail before anything is made when a branch is in the way of all of them', async () => {
    repo.git(['branch', 'lane']);
    const lanes = [repo.lane('a'), repo.lane('b')];
    for (const lane of lanes)
      await rejectsWith(createLane(lane), 'conflict', 'branch lane:', 'git branch -m lane ');
    assert.equal(existsSync(join(repo.commonDir, 'worktrees')), false);
    assert.equal(await tipOf(repo.root, 'lane/a'), null);
    repo.git(['branch', '-m', 'lane', 'street']);
    await Promise.all(lanes.map(createLane));
    await rejectsWith(createLane(repo.lane('a/b', { path: join(repo.lanes, 'a~b') })), 'conflict', 'lane/a');
  });
});
