import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeLane } from '../../../src/engine/removal/removeLane.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { removalRepository, type LaneToRemove, type RemovalRepository } from './removalRepository.ts';

const minuteAgo = () => new Date(Date.now() - 60_000);
const later = () => new Date(Date.now() + 60_000);

describe('A removal loses nothing', () => {
  let repo: RemovalRepository;
  before(() => (repo = removalRepository()));
  after(() => repo.remove());

  async function refused(lane: LaneToRemove, ...parts: (string | RegExp)[]): Promise<void> {
    await rejectsWith(removeLane(lane), 'refused', ...parts);
    assert.ok(existsSync(join(lane.path, '.git')), 'the folder is where it was');
    assert.equal(repo.git(['rev-parse', '--verify', '--quiet', lane.branch]).length, 40);
  }

  async function removed(lane: LaneToRemove, branch: string): Promise<string> {
    const result = await removeLane(lane);
    assert.equal(result.branch, branch);
    assert.deepEqual(result.left, []);
    assert.equal(existsSync(lane.path), false);
    return result.why ?? '';
  }

  it('commits that nobody else has need a rescue; without a remote every one of them is at risk', async () => {
    const lane = await repo.made('commits');
    repo.commit({ 'new.txt': 'new' }, 'Work', lane.path);
    await refused(lane, 'has 1 commits that are neither merged nor pushed', 'rescue the lane first');
    const rescued = repo.rescue(lane);
    await removed({ ...lane, rescued }, 'deleted');
    assert.equal(repo.git(['show', `${rescued.commit}^1:new.txt`]), 'new');
  });

  it('changed and untracked files need one too, also when the settings hide untracked files', async () => {
    const changed = await repo.made('changed');
    repo.write({ 'src/a.txt': 'changed' }, changed.path);
    await refused(changed, 'uncommitted work (src/a.txt)');
    const untracked = await repo.made('untracked');
    repo.git(['config', 'status.showUntrackedFiles', 'no']);
    try {
      repo.write({ 'folder/notes ü.txt': 'notes' }, untracked.path);
      await refused(untracked, 'uncommitted work (folder/notes ü.txt)');
    } finally {
      repo.git(['config', '--unset', 'status.showUntrackedFiles']);
    }
    await removed({ ...changed, rescued: repo.rescue(changed) }, 'deleted');
    await removed({ ...untracked, rescued: repo.rescue(untracked) }, 'deleted');
  });

  it('so do staged files, a file that git was told to overlook, and an operation that is under way', async () => {
    const staged = await repo.made('staged');
    repo.write({ 'src/a.txt': 'staged' }, staged.path);
    repo.git(['add', 'src/a.txt'], staged.path);
    repo.write({ 'src/a.txt': 'a\n' }, staged.path);
    await refused(staged, 'src/a.txt');
    const hidden = await repo.made('hidden');
    repo.git(['update-index', '--assume-unchanged', 'src/b.txt'], hidden.path);
    repo.write({ 'src/b.txt': 'hidden' }, hidden.path);
    await refused(hidden, 'src/b.txt');
    const bisecting = await repo.made('bisecting');
    repo.git(['bisect', 'start'], bisecting.path);
    await refused(bisecting, 'A bisect is under way');
    repo.git(['bisect', 'reset'], bisecting.path);
    for (const lane of [staged, hidden]) await removed({ ...lane, rescued: repo.rescue(lane) }, 'deleted');
    await removed(bisecting, 'deleted');
  });

  it('so do commits that only the reflog, a detached HEAD or a ref of the worktree still has', async () => {
    const amended = await repo.made('amended');
    repo.commit({ 'once.txt': 'once' }, 'Once', amended.path);
    const once = repo.git(['rev-parse', 'HEAD'], amended.path);
    repo.git(['reset', '--quiet', '--hard', amended.base], amended.path);
    await refused(amended, 'commits in its reflog alone');
    repo.git(['branch', 'kept-elsewhere', once]);
    await removed(amended, 'deleted');

    const detached = await repo.made('detached');
    repo.git(['checkout', '--quiet', '--detach'], detached.path);
    repo.commit({ 'loose.txt': 'loose' }, 'Loose', detached.path);
    await refused(detached, 'neither merged nor pushed');
    await removed({ ...detached, rescued: repo.rescue(detached) }, 'deleted');

    const own = await repo.made('own-ref');
    const commit = repo.git(['commit-tree', 'HEAD^{tree}', '-m', 'Own'], own.path);
    repo.git(['update-ref', 'refs/worktree/mine', commit], own.path);
    await refused(own, 'in its reflog alone');
    repo.git(['update-ref', '-d', 'refs/worktree/mine'], own.path);
    await removed(own, 'deleted');
  });

  it('a squash-merged lane counts as merged, and so does one that was merged later on', async () => {
    const squashed = await repo.made('squashed');
    repo.commit({ 'one.txt': '1' }, 'One', squashed.path);
    repo.commit({ 'two.txt': '2' }, 'Two', squashed.path);
    await refused(squashed, 'has 2 commits');
    repo.git(['merge', '--quiet', '--squash', squashed.branch]);
    repo.commit({}, 'Squash of the lane');
    repo.commit({ 'one.txt': 'changed since' });
    await removed(squashed, 'deleted');
    const merged = await repo.made('merged');
    repo.commit({ 'three.txt': '3' }, 'Three', merged.path);
    repo.git(['merge', '--quiet', '--no-ff', '-m', 'Merge', merged.branch]);
    await removed(merged, 'deleted');
  });

  it('a lane whose commits a remote has is safe, but its branch stays until it is merged', async () => {
    const lane = await repo.made('pushed');
    repo.commit({ 'pushed.txt': 'pushed' }, 'Pushed', lane.path);
    const remote = join(repo.folder, 'remote');
    repo.git(['init', '--quiet', '--bare', remote]);
    repo.git(['remote', 'add', 'origin', remote]);
    await refused(lane, 'neither merged nor pushed');
    repo.git(['push', '--quiet', 'origin', lane.branch]);
    const tip = repo.git(['rev-parse', lane.branch]);
    assert.match(await removed(lane, 'kept'), /lane\/pushed was kept: it is not merged into main/);
    assert.equal(repo.git(['rev-parse', lane.branch]), tip);
  });

  it('a branch that moved since the rescue, or that the rescue lacks, is refused and kept', async () => {
    const lane = await repo.made('moving');
    repo.commit({ 'before.txt': '1' }, 'Before', lane.path);
    const rescued = repo.rescue(lane);
    repo.commit({ 'after.txt': '2' }, 'After', lane.path);
    await refused({ ...lane, rescued }, 'lane/moving has moved since');
    const tip = repo.git(['rev-parse', lane.branch]);
    await refused({ ...lane, rescued: { ...rescued, tip } }, 'has 1 commits that its rescue', 'lacks');
    await refused({ ...lane, rescued: { ...rescued, tip: null } }, 'has moved since');
    await removed({ ...lane, rescued: repo.rescue(lane) }, 'deleted');
  });

  it('a rescue that is not there, is another commit or is no rescue at all proves nothing', async () => {
    const lane = await repo.made('unproven');
    repo.commit({ 'x.txt': '1' }, 'Work', lane.path);
    const rescued = repo.rescue(lane);
    const refuse = (other: Partial<typeof rescued>) =>
      refused({ ...lane, rescued: { ...rescued, ...other } }, 'is not there, or is not');
    await refuse({ ref: 'refs/agentkit/rescue/unproven/2' });
    await refuse({ commit: lane.base });
    repo.git(['update-ref', 'refs/heads/no-rescue', rescued.commit]);
    await refuse({ ref: 'refs/heads/no-rescue' });
    await removed({ ...lane, rescued }, 'deleted');
  });

  it('a file that was written after the rescue is not in it', async () => {
    const lane = await repo.made('late');
    const early = repo.rescue(lane, minuteAgo());
    repo.write({ 'late.txt': 'late' }, lane.path);
    await refused({ ...lane, rescued: early }, 'changed after its rescue', 'rescue the lane again');
    await removed({ ...lane, rescued: repo.rescue(lane, later()) }, 'deleted');
  });

  it('a submodule with work that only it has needs a rescue', async () => {
    const library = join(repo.folder, 'library');
    repo.git(['init', '--quiet', '-b', 'main', library]);
    repo.git(['config', 'user.name', 'Ada'], library);
    repo.git(['config', 'user.email', 'ada@example.com'], library);
    repo.commit({ 'lib.txt': 'lib' }, 'Library', library);
    const local = ['-c', 'protocol.file.allow=always'];
    repo.git([...local, 'submodule', '--quiet', 'add', library, 'vendor/lib ü']);
    repo.commit({}, 'Add the library');
    const lane = await repo.made('submodule');
    repo.git([...local, 'submodule', '--quiet', 'update', '--init'], lane.path);
    const inside = join(lane.path, 'vendor/lib ü');
    repo.git(['config', 'user.name', 'Ada'], inside);
    repo.git(['config', 'user.email', 'ada@example.com'], inside);
    repo.write({ 'lib.txt': 'changed' }, inside);
    await refused(lane, 'The submodule vendor/lib ü', 'uncommitted work');
    repo.commit({}, 'In the submodule', inside);
    repo.git(['checkout', '--quiet', 'HEAD~1'], inside);
    await refused(lane, 'The submodule vendor/lib ü', '1 commits that none of its remotes has');
    repo.git(['push', '--quiet', 'origin', 'HEAD@{1}:refs/heads/side'], inside);
    repo.git(['fetch', '--quiet'], inside);
    await removed(lane, 'deleted');
  });
});
