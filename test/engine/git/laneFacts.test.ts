import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('laneFacts', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(async () => {
    repo = tempRepository();
    repo.commit({ '.gitignore': 'ignored/\n' });
    lane = repo.lane('api');
    await createLane(lane);
  });
  afterEach(() => repo.remove());

  it('counts changed, staged, deleted and untracked files, not ignored ones', async () => {
    repo.write(
      { 'src/a.txt': 'changed', 'new ü\n"q".txt': 'new', 'ignored/x': 'x', 'staged.txt': 's' },
      lane.path,
    );
    repo.git(['add', 'staged.txt'], lane.path);
    rmSync(join(lane.path, 'src/b.txt'));
    const { clean, dirty, untracked } = await laneFacts(lane);
    assert.equal(clean, false);
    assert.deepEqual(dirty.sort(), ['new ü\n"q".txt', 'src/a.txt', 'src/b.txt', 'staged.txt']);
    assert.deepEqual(untracked, ['new ü\n"q".txt']);
  });

  it('is clean with ignored files only', async () => {
    repo.write({ 'ignored/x': 'x' }, lane.path);
    assert.deepEqual((await laneFacts(lane)).dirty, []);
  });

  for (const flag of ['--assume-unchanged', '--skip-worktree']) {
    it(`sees a change that was hidden with ${flag}`, async () => {
      repo.git(['update-index', flag, 'src/a.txt'], lane.path);
      assert.equal((await laneFacts(lane)).clean, true);
      writeFileSync(join(lane.path, 'src/a.txt'), 'h\n');
      assert.deepEqual((await laneFacts(lane)).dirty, ['src/a.txt']);
      rmSync(join(lane.path, 'src/a.txt'));
      assert.deepEqual((await laneFacts(lane)).dirty, ['src/a.txt']);
    });
  }

  it('sees files that sparse patterns of the lane took away', async () => {
    repo.git(['sparse-checkout', 'set', '--no-cone', '/*', '!/src/b.txt'], lane.path);
    assert.deepEqual((await laneFacts(lane)).dirty, ['src/b.txt']);
  });

  it('sees what status settings would hide', async () => {
    repo.git(['config', 'status.showUntrackedFiles', 'no']);
    repo.write({ 'new.txt': 'new' }, lane.path);
    assert.deepEqual((await laneFacts(lane)).dirty, ['new.txt']);
  });

  it('tells HEAD from the tip of the branch', async () => {
    repo.git(['switch', '--quiet', '--detach'], lane.path);
    const head = repo.commit({ 'x.txt': 'x' }, 'Off the branch', lane.path);
    const facts = await laneFacts(lane);
    assert.equal(facts.head, head);
    assert.equal(facts.branchTip, lane.base);
    repo.git(['branch', '-D', lane.branch]);
    assert.equal((await laneFacts(lane)).branchTip, null);
  });

  it('names what is in progress', async () => {
    const other = repo.commit({ 'src/a.txt': 'theirs\n' });
    repo.commit({ 'src/a.txt': 'ours\n' }, 'Ours', lane.path);
    repo.commit({ 'src/a.txt': 'ours again\n' }, 'Ours again', lane.path);
    const attempts: [string, string[]][] = [
      ['merge', ['merge', other]],
      ['rebase', ['rebase', other]],
      ['cherry-pick', ['cherry-pick', other]],
      ['revert', ['revert', '--no-edit', 'HEAD^']],
    ];
    for (const [operation, args] of attempts) {
      assert.throws(() => repo.git(args, lane.path));
      assert.equal((await laneFacts(lane)).operation, operation);
      repo.git([operation, '--abort'], lane.path);
      assert.equal((await laneFacts(lane)).operation, null);
    }
    repo.git(['bisect', 'start'], lane.path);
    assert.equal((await laneFacts(lane)).operation, 'bisect');
  });

  it('does not take the index lock of the checkout that it reads', async () => {
    writeFileSync(join(repo.commonDir, 'worktrees', 'api', 'index.lock'), '');
    assert.equal((await laneFacts(lane)).clean, true);
  });

  it('does not mistake another repository for the lane', async () => {
    rmSync(join(lane.path, '.git'));
    repo.git(['init', '--quiet', lane.path]);
    repo.git(
      ['-c', 'user.name=a', '-c', 'user.email=b', 'commit', '--quiet', '--allow-empty', '-m', 'x'],
      lane.path,
    );
    await rejectsWith(laneFacts(lane), 'conflict', lane.path);
    rmSync(lane.path, { recursive: true });
    await rejectsWith(laneFacts(lane), 'not_found', lane.path);
  });

  it('does not mistake a repository above for a lane that has lost its link', async () => {
    const path = join(repo.commonDir, 'agentkit', 'lanes', 'in');
    const inside = repo.lane('in', { path });
    await createLane(inside);
    rmSync(join(path, '.git'));
    mkdirSync(join(repo.folder, 'unused'));
    await rejectsWith(laneFacts(inside), 'git_failed', path);
  });
});
