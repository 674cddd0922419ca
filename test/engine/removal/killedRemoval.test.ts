import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { removeLane } from '../../../src/engine/removal/removeLane.ts';
import { sweepTrash } from '../../../src/engine/removal/sweepTrash.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { removalRepository, type LaneToRemove, type RemovalRepository } from './removalRepository.ts';

const program = join(import.meta.dirname, 'removeAndDie.ts');

/** Removes the lane in a process that dies before its n-th effect. Returns whether it came to that. */
function dies(lane: LaneToRemove, n: number): boolean {
  const args = ['--no-warnings', program, JSON.stringify(lane), String(n)];
  const { signal, status, stderr } = spawnSync(process.execPath, args, { cwd: lane.root, encoding: 'utf8' });
  assert.ok(signal === 'SIGKILL' || status === 0, stderr);
  return signal === 'SIGKILL';
}

describe('A removal that is killed', () => {
  let repo: RemovalRepository;
  before(() => {
    repo = removalRepository();
    repo.write({ 'node_modules/pkg/index.js': 'module', '.git/info/exclude': 'node_modules\n' });
  });
  after(() => repo.remove());

  async function rescuedLane(id: string): Promise<LaneToRemove> {
    const lane = await repo.made(id);
    repo.commit({ 'work/file.txt': id }, 'Work', lane.path);
    mkdirSync(join(lane.path, 'packages'));
    symlinkSync(join(repo.root, 'node_modules'), join(lane.path, 'node_modules'));
    return { ...lane, rescued: repo.rescue(lane) };
  }

  it('comes to the same end when it is done again, wherever it died', async () => {
    let n = 1;
    for (; ; n += 1) {
      const lane = await rescuedLane(`killed-${n}`);
      const died = dies(lane, n);
      const again = await removeLane(lane);
      assert.deepEqual([again.left, repo.traces(lane)], [[], []], `killed before effect ${n}`);
      assert.equal(repo.git(['show', `${lane.rescued!.commit}^1:work/file.txt`]), lane.lane);
      assert.equal(readFileSync(join(repo.root, 'node_modules/pkg/index.js'), 'utf8'), 'module');
      if (!died) break;
    }
    assert.ok(n > 9, `only ${n - 1} effects were seen`);
    assert.equal(repo.git(['worktree', 'list']).split('\n').length, 1);
  });

  it('is not ended by a sweep before git has forgotten the lane, and is by then', async () => {
    const { commonDir } = repo;
    const seen = { open: 0, swept: 0 };
    for (let n = 2; seen.swept < 3; n += 1) {
      const lane = await rescuedLane(`swept-${n}`);
      assert.ok(dies(lane, n));
      const { left } = await sweepTrash({ commonDir, limitMs: 60_000 });
      const isListed = repo.git(['worktree', 'list', '--porcelain']).includes(lane.path);
      const trash = repo.traces(lane).filter((trace) => trace.startsWith('.trash-'));
      if (isListed) {
        const isMoved = !existsSync(lane.path);
        assert.deepEqual([left.length, trash.length], isMoved ? [1, 1] : [0, 0], `killed before effect ${n}`);
        if (isMoved) assert.match(left[0]!.why, /the removal of lane swept-\d+ has not ended/);
        seen.open += Number(isMoved);
      } else {
        assert.deepEqual([left, trash], [[], []], `killed before effect ${n}`);
        seen.swept += 1;
      }
      await removeLane(lane);
      assert.deepEqual(repo.traces(lane), []);
    }
    assert.ok(seen.open > 0, 'it was never killed between the two');
  });

  it('puts the folder back when the branch has moved since it died', async () => {
    for (let n = 3; ; n += 1) {
      const lane = await rescuedLane(`moved-${n}`);
      assert.ok(dies(lane, n));
      if (existsSync(lane.path)) {
        await removeLane(lane);
        continue;
      }
      repo.git(['update-ref', `refs/heads/${lane.branch}`, lane.base]);
      await rejectsWith(removeLane(lane), 'refused', 'has moved since');
      assert.equal(readFileSync(join(lane.path, 'work/file.txt'), 'utf8'), lane.lane);
      assert.deepEqual(
        repo.traces(lane).filter((trace) => trace.includes('trash')),
        [],
      );
      repo.git(['update-ref', `refs/heads/${lane.branch}`, lane.rescued!.tip!]);
      await removeLane(lane);
      assert.deepEqual(repo.traces(lane), []);
      break;
    }
  });
});
