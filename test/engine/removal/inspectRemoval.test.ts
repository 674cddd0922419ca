import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectRemoval } from '../../../src/engine/removal/inspectRemoval.ts';
import { end, removalRepository, workerIn, type RemovalRepository } from './removalRepository.ts';

describe('inspectRemoval', () => {
  let repo: RemovalRepository;
  before(() => (repo = removalRepository()));
  after(() => repo.remove());

  it('finds nothing in a lane that nobody has worked in', async () => {
    const lane = await repo.made('new');
    assert.deepEqual(await inspectRemoval(lane), {
      path: lane.path,
      branch: lane.branch,
      exists: true,
      listed: true,
      dirty: [],
      untracked: [],
      ignored: { files: 0, bytes: 0 },
      unpushed: 0,
      unmerged: false,
      processes: [],
      refusals: [],
      nested: [],
      lock: null,
      submodules: [],
      whyNot: [],
    });
  });

  it('tells changed, untracked and ignored files apart, and changes nothing', async () => {
    repo.write({ '.git/info/exclude': '*.log\ncache\nlinked\n' });
    const lane = await repo.made('files');
    repo.write(
      {
        'src/a.txt': 'changed',
        'new/ü.txt': 'new',
        'x.log': '12345',
        'cache/deep/y': '123',
        'cache/z': '12',
      },
      lane.path,
    );
    rmSync(join(lane.path, 'src/b.txt'));
    symlinkSync(repo.root, join(lane.path, 'linked'));
    repo.git(['config', 'status.showUntrackedFiles', 'no']);
    const before = repo.git(['status', '--porcelain', '-uall', '--ignored'], lane.path);
    const found = await inspectRemoval(lane);
    repo.git(['config', '--unset', 'status.showUntrackedFiles']);
    assert.deepEqual(found.dirty, ['src/a.txt', 'src/b.txt']);
    assert.deepEqual(found.untracked, ['new/ü.txt']);
    assert.equal(found.ignored.files, 4);
    assert.equal(found.ignored.bytes, 10 + Buffer.byteLength(repo.root));
    assert.deepEqual(found.whyNot, []);
    assert.equal(repo.git(['status', '--porcelain', '-uall', '--ignored'], lane.path), before);
  });

  it('counts the commits that nobody else has, and sees by content whether they are merged', async () => {
    const lane = await repo.made('counted');
    repo.commit({ 'one.txt': '1' }, 'One', lane.path);
    repo.commit({ 'two.txt': '2' }, 'Two', lane.path);
    const facts = async () => {
      const { unpushed, unmerged } = await inspectRemoval(lane);
      return { unpushed, unmerged };
    };
    assert.deepEqual(await facts(), { unpushed: 2, unmerged: true });
    repo.git(['update-ref', 'refs/remotes/origin/lane/counted', `${lane.branch}~1`]);
    assert.deepEqual(await facts(), { unpushed: 1, unmerged: true });
    repo.git(['merge', '--quiet', '--squash', lane.branch]);
    repo.commit({}, 'Squash');
    assert.deepEqual(await facts(), { unpushed: 1, unmerged: false });
    const { unmerged } = await inspectRemoval({ ...lane, target: null });
    assert.equal(unmerged, true, 'without a target nothing can hold it');
  });

  it('names processes, nested checkouts and the lock, each with a cure', async () => {
    const lane = await repo.made('crowded');
    const inside = join(lane.path, 'inner');
    repo.git(['worktree', 'add', '--quiet', '--detach', inside]);
    repo.git(['worktree', 'unlock', lane.path]);
    repo.git(['worktree', 'lock', '--reason', 'mine', lane.path]);
    const stranger = await workerIn(join(lane.path, 'src'));
    const own = await workerIn(repo.root, {
      AGENTKIT_RUN: lane.run,
      AGENTKIT_LANE: lane.lane,
      AGENTKIT_ATTEMPT: 'run1/crowded/1',
    });
    try {
      const { processes, nested, lock, whyNot } = await inspectRemoval(lane);
      const seen = processes.map(({ pid, mark, inside: works }) => ({ pid, mark, works }));
      assert.deepEqual(seen, [
        { pid: stranger.pid, mark: null, works: true },
        { pid: own.pid, mark: 'run1/crowded/1', works: false },
      ]);
      assert.ok(processes.every(({ started, command }) => started !== '' && command.includes('setInterval')));
      assert.deepEqual([nested, lock], [[inside], 'mine']);
      assert.equal(whyNot.length, 3, whyNot.join('\n'));
      for (const part of ['git worktree unlock', 'git worktree move', `Process ${stranger.pid}`]) {
        assert.ok(whyNot.some((reason) => reason.includes(part)));
      }
    } finally {
      await end(stranger);
      await end(own);
    }
    const { processes } = await inspectRemoval(lane);
    assert.deepEqual(processes, []);
  });

  it('sees a process that has a file of the lane open for writing, and not one that reads it', async () => {
    const lane = await repo.made('open');
    const file = join(lane.path, 'README.md');
    const writer = await workerIn(repo.root, { OPEN: file, OPEN_AS: 'a' });
    const reader = await workerIn(repo.root, { OPEN: file, OPEN_AS: 'r' });
    try {
      const { processes } = await inspectRemoval(lane);
      assert.deepEqual(
        processes.map(({ pid }) => pid),
        [writer.pid],
      );
    } finally {
      await end(writer);
      await end(reader);
    }
  });

  it('finds submodules with work of their own, also when only their repository is left', async () => {
    const library = join(repo.folder, 'library');
    repo.git(['init', '--quiet', '-b', 'main', library]);
    repo.git(['config', 'user.name', 'Ada'], library);
    repo.git(['config', 'user.email', 'ada@example.com'], library);
    repo.commit({ 'lib.txt': 'lib' }, 'Library', library);
    const local = ['-c', 'protocol.file.allow=always'];
    repo.git([...local, 'submodule', '--quiet', 'add', library, 'vendor/lib']);
    repo.commit({}, 'Add the library');
    const lane = await repo.made('submodule');
    repo.git([...local, 'submodule', '--quiet', 'update', '--init'], lane.path);
    const inside = join(lane.path, 'vendor/lib');
    const look = async () => (await inspectRemoval(lane)).submodules;
    assert.deepEqual(await look(), [{ path: 'vendor/lib', dirty: false, unpushed: 0 }]);
    repo.git(['config', 'user.name', 'Ada'], inside);
    repo.git(['config', 'user.email', 'ada@example.com'], inside);
    repo.commit({ 'lib.txt': 'mine' }, 'Mine', inside);
    writeFileSync(join(inside, 'more.txt'), 'more');
    assert.deepEqual(await look(), [{ path: 'vendor/lib', dirty: true, unpushed: 1 }]);
    rmSync(inside, { recursive: true });
    mkdirSync(inside);
    assert.deepEqual(await look(), [{ path: 'modules/vendor/lib', dirty: false, unpushed: 1 }]);
  });

  it('reads nothing of a folder that is not the lane', async () => {
    const lane = await repo.made('gone');
    rmSync(lane.path, { recursive: true });
    const gone = await inspectRemoval(lane);
    assert.deepEqual([gone.exists, gone.listed, gone.whyNot], [false, true, []]);
    repo.write({ 'somebody.txt': 'else' }, lane.path);
    const other = await inspectRemoval(lane);
    assert.deepEqual([other.exists, other.dirty, other.untracked], [true, [], []]);
    assert.match(other.whyNot.join(), /\.git file does not lead to/);
    const unknown = await inspectRemoval({ ...lane, path: join(repo.lanes, 'never'), nonce: 'never' });
    assert.deepEqual([unknown.exists, unknown.listed, unknown.whyNot], [false, false, []]);
  });
});
