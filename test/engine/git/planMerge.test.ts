import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { planMerge } from '../../../src/engine/git/planMerge.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('planMerge', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(async () => {
    repo = tempRepository();
    repo.commit({ '.gitignore': 'ignored/\n*.log\n' });
    lane = repo.lane('api');
    await createLane(lane);
  });
  afterEach(() => repo.remove());

  const inLane = (files: Record<string, string>, message = 'Work') => repo.commit(files, message, lane.path);
  const plan = (head: string, target = 'main') =>
    planMerge({ root: repo.root, commonDir: repo.commonDir, target, head });

  it('shows commits, files and tree, and changes nothing', async () => {
    const from = repo.commit({ 'main.txt': 'main\n' });
    const head = inLane({ 'src/new ü.txt': 'new\n', 'src/a.txt': 'changed\n' });
    const before = [
      repo.git(['for-each-ref']),
      repo.git(['status', '--porcelain']),
      repo.git(['worktree', 'list']),
    ];
    const made = await plan(head);
    assert.deepEqual(
      { ...made, tree: null },
      {
        from,
        commits: [{ sha: head, subject: 'Work' }],
        files: ['src/a.txt', 'src/new ü.txt'],
        tree: null,
        conflicts: [],
        checkedOutIn: repo.root,
        whyNot: [],
      },
    );
    assert.equal(repo.git(['show', `${made.tree}:main.txt`]), 'main');
    assert.equal(repo.git(['show', `${made.tree}:src/a.txt`]), 'changed');
    assert.deepEqual(
      [repo.git(['for-each-ref']), repo.git(['status', '--porcelain']), repo.git(['worktree', 'list'])],
      before,
    );
  });

  it('names the files in conflict', async () => {
    repo.commit({ 'src/a.txt': 'main\n' });
    const head = inLane({ 'src/a.txt': 'lane\n', 'src/b.txt': 'fine\n' });
    const { tree, conflicts, whyNot } = await plan(head);
    assert.deepEqual([tree, conflicts], [null, ['src/a.txt']]);
    assert.match(whyNot.join(), /conflicts in src\/a\.txt/);
  });

  it('merges by the attributes of the target, whatever the main checkout has', async () => {
    repo.commit({ '.gitattributes': 'src/a.txt merge=union\n' });
    repo.git(['branch', '--force', 'lane/base']);
    repo.git(['merge', '--quiet', 'main'], lane.path);
    repo.commit({ 'src/a.txt': 'a\nmain\n' });
    const head = inLane({ 'src/a.txt': 'a\nlane\n' });
    repo.git(['switch', '--quiet', '-c', 'elsewhere']);
    repo.commit({ '.gitattributes': '' });
    const { tree, whyNot } = await plan(head);
    assert.deepEqual(whyNot, []);
    assert.equal(repo.git(['show', `${tree}:src/a.txt`]), 'a\nmain\nlane');
  });

  it('tells where the target is checked out, if at all', async () => {
    const head = inLane({ 'x.txt': 'x\n' });
    repo.git(['switch', '--quiet', '--detach']);
    assert.equal((await plan(head)).checkedOutIn, null);
    const linked = join(repo.folder, 'linked');
    repo.git(['worktree', 'add', '--quiet', linked, 'main']);
    const made = await plan(head);
    assert.deepEqual([made.checkedOutIn, made.whyNot], [linked, []]);
    rmSync(linked, { recursive: true });
    assert.match((await plan(head)).whyNot.join(), /is gone; run "git worktree prune"/);
  });

  it('refuses a target that is not there, nothing to merge, and histories without a common commit', async () => {
    const missing = await plan(lane.base, 'release');
    assert.equal(missing.from, null);
    assert.match(missing.whyNot.join(), /no branch release/);
    assert.match((await plan(lane.base)).whyNot.join(), /nothing to merge/);
    repo.git(['switch', '--quiet', '--orphan', 'orphan'], lane.path);
    const head = inLane({ 'x.txt': 'x\n' });
    assert.match((await plan(head)).whyNot.join(), /no commit in common/);
  });

  it("refuses while the target's checkout is in the middle of something", async () => {
    const head = inLane({ 'x.txt': 'x\n' });
    repo.git(['branch', 'other', 'HEAD']);
    repo.commit({ 'src/a.txt': 'main\n' });
    repo.git(['switch', '--quiet', 'other']);
    repo.commit({ 'src/a.txt': 'other\n' });
    repo.git(['switch', '--quiet', 'main']);
    assert.throws(() => repo.git(['merge', 'other']));
    assert.match((await plan(head)).whyNot.join(), /A merge is under way in .*main/);
    repo.git(['merge', '--abort']);
    assert.deepEqual((await plan(head)).whyNot, []);
  });

  it('refuses while the target is rebased or bisected, where git lists no branch', async () => {
    const head = inLane({ 'x.txt': 'x\n' });
    const linked = join(repo.folder, 'linked');
    repo.commit({ 'main.txt': 'main\n' });
    repo.git(['switch', '--quiet', '--detach']);
    repo.git(['worktree', 'add', '--quiet', linked, 'main']);
    assert.throws(() => repo.git(['rebase', '--quiet', '--exec', 'false', 'HEAD^'], linked));
    assert.match((await plan(head)).whyNot.join(), /main is being rebased in .*linked/);
    repo.git(['rebase', '--abort'], linked);
    repo.git(['bisect', 'start', 'HEAD', 'HEAD~2'], linked);
    assert.match((await plan(head)).whyNot.join(), /main is being bisected in .*linked/);
    repo.git(['bisect', 'reset'], linked);
    assert.deepEqual((await plan(head)).whyNot, []);
  });

  it('refuses when most files would be deleted, and when the shared config is ill', async () => {
    repo.git(['rm', '--quiet', 'src/a.txt', 'src/b.txt', 'README.md'], lane.path);
    const head = inLane({});
    assert.match((await plan(head)).whyNot.join(), /delete 3 of 4 files/);
    const less = inLane({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' });
    assert.deepEqual((await plan(less)).whyNot, []);
    repo.git(['config', 'core.bare', 'true']);
    assert.match((await plan(less)).whyNot.join(), /core\.bare false/);
    repo.git(['config', '--file', join(repo.commonDir, 'config'), 'core.bare', 'false']);
    repo.git(['config', 'core.worktree', lane.path]);
    assert.match((await plan(less)).whyNot.join(), /core\.worktree/);
  });

  describe("names the user's files that it would overwrite", () => {
    const cases: {
      name: string;
      work: Record<string, string>;
      mine: Record<string, string>;
      blocked: string;
    }[] = [
      {
        name: 'changed',
        work: { 'src/a.txt': 'lane\n' },
        mine: { 'src/a.txt': 'mine\n' },
        blocked: 'src/a.txt',
      },
      {
        name: 'untracked',
        work: { 'src/new.txt': 'lane\n' },
        mine: { 'src/new.txt': 'mine\n' },
        blocked: 'src/new.txt',
      },
      { name: 'ignored', work: { 'x.log': 'lane\n' }, mine: { 'x.log': 'mine\n' }, blocked: 'x.log' },
      {
        name: 'file where a folder comes',
        work: { 'dir/x.txt': 'lane\n' },
        mine: { dir: 'mine\n' },
        blocked: 'dir',
      },
      {
        name: 'folder where a file comes',
        work: { dir: 'lane\n' },
        mine: { 'dir/x.log': 'mine\n' },
        blocked: 'dir/x.log',
      },
    ];
    for (const { name, work, mine, blocked } of cases) {
      it(name, async () => {
        const head = inLane(work);
        assert.deepEqual((await plan(head)).whyNot, []);
        repo.write(mine);
        assert.deepEqual((await plan(head)).whyNot, [
          `The merge would overwrite these files in ${repo.root}: ${blocked}; commit them or move them away`,
        ]);
      });
    }

    it('a link where a folder comes', async () => {
      const head = inLane({ 'dir/x.txt': 'lane\n' });
      mkdirSync(join(repo.folder, 'outside'));
      symlinkSync(join(repo.folder, 'outside'), join(repo.root, 'dir'));
      assert.match((await plan(head)).whyNot.join(), /dir;/);
    });

    it('staged, or hidden from git', async () => {
      const head = inLane({ 'src/a.txt': 'lane\n', 'src/b.txt': 'lane\n' });
      repo.write({ 'src/a.txt': 'staged\n' });
      repo.git(['add', 'src/a.txt']);
      repo.git(['update-index', '--assume-unchanged', 'src/b.txt']);
      repo.write({ 'src/b.txt': 'hidden\n' });
      assert.match((await plan(head)).whyNot.join(), /src\/a\.txt, src\/b\.txt;/);
    });

    it('but not files that it does not touch', async () => {
      rmSync(join(lane.path, 'src/b.txt'));
      const head = inLane({ 'src/a.txt': 'lane\n', 'src/b.txt/deep.txt': 'folder instead of file\n' });
      repo.write({ 'README.md': 'mine\n', 'notes.txt': 'mine\n', 'ignored/x': 'mine\n', 'y.log': 'mine\n' });
      repo.git(['add', 'README.md']);
      assert.deepEqual((await plan(head)).whyNot, []);
      assert.equal(existsSync(join(repo.root, 'notes.txt')), true);
    });
  });

  it('does not read the checkout of a target under an index lock as trouble', async () => {
    const head = inLane({ 'x.txt': 'x\n' });
    writeFileSync(join(repo.commonDir, 'index.lock'), '');
    assert.deepEqual((await plan(head)).whyNot, []);
  });
});
