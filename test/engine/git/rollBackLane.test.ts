import assert from 'node:assert/strict';
import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { rollBackLane } from '../../../src/engine/git/rollBackLane.ts';
import { listWorktrees } from '../../../src/engine/git/worktreeList.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('rollBackLane', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(() => {
    repo = tempRepository();
    lane = repo.lane('api');
  });
  afterEach(() => repo.remove());

  function halfMade(reason = `agentkit run1/api ${lane.nonce}`): void {
    repo.git(['worktree', 'add', '--quiet', '--lock', '--reason', reason, lane.path, '-b', lane.branch]);
  }

  it('removes a worktree that carries the lane and was never prepared', async () => {
    halfMade();
    assert.deepEqual(await rollBackLane(lane), []);
    assert.equal(existsSync(lane.path), false);
    assert.equal((await listWorktrees(repo.root)).length, 1);
    assert.deepEqual(await rollBackLane(lane), []);
  });

  it('removes nothing that has another nonce, no mark, or was prepared', async () => {
    halfMade('agentkit run1/api of-another-time');
    await rejectsWith(rollBackLane(lane), 'refused', lane.path, 'not marked');
    repo.git(['worktree', 'unlock', lane.path]);
    await rejectsWith(rollBackLane(lane), 'refused', 'not marked');
    assert.equal(existsSync(join(lane.path, 'README.md')), true);
    const complete = repo.lane('done');
    await createLane(complete);
    await rejectsWith(rollBackLane(complete), 'refused', 'complete');
    assert.equal(existsSync(join(complete.path, 'README.md')), true);
  });

  it('removes neither the main checkout nor a folder that git does not list', async () => {
    assert.deepEqual(await rollBackLane({ ...lane, path: repo.root }), []);
    repo.write({ 'x.txt': 'x' }, lane.path);
    assert.deepEqual(await rollBackLane(lane), []);
    assert.equal(existsSync(join(repo.root, 'README.md')), true);
    assert.equal(existsSync(join(lane.path, 'x.txt')), true);
  });

  it('removes nothing through a link', async () => {
    halfMade();
    const moved = join(repo.folder, 'moved');
    renameSync(lane.path, moved);
    symlinkSync(moved, lane.path);
    await rejectsWith(rollBackLane(lane), 'refused', lane.path, 'link');
    assert.equal(existsSync(join(moved, 'README.md')), true);
  });

  it('does not remove the folder that this process works in', async () => {
    halfMade();
    const cwd = process.cwd();
    process.chdir(join(lane.path, 'src'));
    try {
      await rejectsWith(rollBackLane(lane), 'refused', 'this process');
    } finally {
      process.chdir(cwd);
    }
    assert.deepEqual(await rollBackLane(lane), []);
  });
});
