import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminFolderOf } from '../../../src/engine/git/adminFolders.ts';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { defaultLaneRoot } from '../../../src/engine/git/laneRoot.ts';
import { readMarker } from '../../../src/engine/git/marker.ts';
import { tipOf } from '../../../src/engine/git/resolveBase.ts';
import { listWorktrees } from '../../../src/engine/git/worktreeList.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('createLane', function () {
  this.timeout(20_000);
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository();
  });
  afterEach(() => repo.remove());

  async function assertMade(lane: LaneRequest): Promise<void> {
    assert.deepEqual(await laneFacts(lane), {
      head: lane.base,
      branchTip: lane.base,
      clean: true,
      dirty: [],
      untracked: [],
      operation: null,
    });
    const { run, nonce, branch, base } = lane;
    const proof = { version: 1, run, lane: lane.lane, nonce, branch, base, prepared: true, sparse: null };
    assert.deepEqual(await readMarker(lane.path), proof);
    const listed = (await listWorktrees(repo.root)).find((worktree) => worktree.branch === branch);
    assert.equal(listed?.locked, `agentkit ${run}/${lane.lane} ${nonce}`);
  }

  /** Nothing of it is left: no branch, no worktree, no folder. */
  async function assertNotMade(lane: LaneRequest): Promise<void> {
    assert.equal(await tipOf(repo.root, lane.branch), null);
    assert.equal((await listWorktrees(repo.root)).length, 1);
    assert.equal(existsSync(lane.path), false);
    assert.equal(existsSync(join(repo.commonDir, 'worktrees')), false);
  }

  it('makes a branch and a complete, marked and locked worktree, and writes no shared config', async () => {
    const config = readFileSync(join(repo.commonDir, 'config'), 'utf8');
    const lane = repo.lane('api');
    assert.deepEqual(await createLane(lane), { warnings: [] });
    await assertMade(lane);
    assert.equal(readFileSync(join(lane.path, 'src/a.txt'), 'utf8'), 'a\n');
    assert.equal(readFileSync(join(repo.commonDir, 'config'), 'utf8'), config);
    assert.equal(repo.git(['status', '--porcelain']), '');
  });

  it('makes eight lanes at once', async () => {
    const lanes = Array.from({ length: 8 }, (_, n) => repo.lane(`lane-${n}`));
    await Promise.all(lanes.map(createLane));
    for (const lane of lanes) await assertMade(lane);
    assert.equal(repo.git(['fsck', '--connectivity-only']), '');
  });

  for (const lock of ['config.lock', 'packed-refs.lock', 'refs/heads/lane/api.lock']) {
    it(`waits while somebody holds ${lock} for a moment`, async () => {
      const file = join(repo.commonDir, lock);
      mkdirSync(join(repo.commonDir, 'refs/heads/lane'), { recursive: true });
      writeFileSync(file, '');
      const timer = setTimeout(() => rmSync(file), 400);
      try {
        const lane = repo.lane('api');
        await createLane(lane);
        await assertMade(lane);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  it('starts from any commit of a master-only repository with a detached HEAD', async () => {
    const other = tempRepository({ branch: 'master' });
    try {
      const base = other.git(['rev-parse', 'HEAD']);
      other.commit({ 'later.txt': 'x' });
      other.git(['switch', '--quiet', '--detach']);
      const lane = other.lane('old', { base });
      await createLane(lane);
      assert.equal(existsSync(join(lane.path, 'later.txt')), false);
      assert.equal((await laneFacts(lane)).branchTip, base);
    } finally {
      other.remove();
    }
  });

  it('works in the folder that it chooses itself, beside the repository or inside its git directory', async () => {
    const beside = await defaultLaneRoot(repo);
    assert.equal(beside, `${repo.root}-lanes`);
    writeFileSync(beside, 'a file of the user');
    const inside = await defaultLaneRoot(repo);
    assert.equal(inside, join(repo.commonDir, 'agentkit', 'lanes'));
    const lane = repo.lane('in', { path: join(inside, 'in') });
    await createLane(lane);
    await assertMade(lane);
    assert.equal(repo.git(['status', '--porcelain']), '');
  });

  describe('again', () => {
    it('adopts exactly the lane that is there, with the work in it', async () => {
      const lane = repo.lane('api');
      await createLane(lane);
      writeFileSync(join(lane.path, 'work.txt'), 'work');
      assert.deepEqual(await createLane(lane), { warnings: [] });
      assert.equal(readFileSync(join(lane.path, 'work.txt'), 'utf8'), 'work');
    });

    it('refuses the same lane with another nonce', async () => {
      const lane = repo.lane('api');
      await createLane(lane);
      await rejectsWith(
        createLane({ ...lane, nonce: 'other' }),
        'conflict',
        lane.path,
        'lane api of run run1',
      );
      await assertMade(lane);
    });

    it('finishes after a crash at any point', async () => {
      const lane = repo.lane('api');
      const reason = `agentkit run1/api ${lane.nonce}`;
      const makeBranch = () =>
        repo.git(['update-ref', '--create-reflog', '-m', reason, `refs/heads/${lane.branch}`, lane.base, '']);
      const addWorktree = () =>
        repo.git(['worktree', 'add', '--no-checkout', '--lock', '--reason', reason, lane.path, lane.branch]);
      const checkOutHalf = () => {
        writeFileSync(join(lane.path, 'README.md'), '# Demo\n');
        writeFileSync(join(repo.commonDir, 'worktrees', 'api', 'index.lock'), '');
      };
      const steps = [makeBranch, addWorktree, checkOutHalf];
      for (let done = 1; done <= steps.length; done++) {
        steps.slice(0, done).forEach((step) => step());
        assert.deepEqual(await createLane(lane), { warnings: [] }, `after ${done} steps`);
        await assertMade(lane);
        repo.git(['worktree', 'remove', '-f', '-f', lane.path]);
        repo.git(['branch', '-D', lane.branch]);
      }
    });

    it('finishes when the half-made folder has been deleted', async () => {
      const lane = repo.lane('api');
      repo.git([
        'worktree',
        'add',
        '--no-checkout',
        '--lock',
        '--reason',
        `agentkit run1/api ${lane.nonce}`,
        lane.path,
        '-b',
        'x',
      ]);
      rmSync(lane.path, { recursive: true });
      await createLane(lane);
      await assertMade(lane);
    });

    it('keeps what it did not make in a half-made folder', async () => {
      const lane = repo.lane('api');
      const reason = `agentkit run1/api ${lane.nonce}`;
      repo.git(['update-ref', '--create-reflog', '-m', reason, `refs/heads/${lane.branch}`, lane.base, '']);
      repo.git(['worktree', 'add', '--no-checkout', '--lock', '--reason', reason, lane.path, lane.branch]);
      writeFileSync(join(lane.path, 'notes.txt'), 'mine');
      const { warnings } = await createLane(lane);
      const aside = `${lane.path}.kept-nonce-of`;
      assert.match(warnings.join(), /\.kept-nonce-of/);
      assert.equal(readFileSync(join(aside, 'notes.txt'), 'utf8'), 'mine');
      await assertMade(lane);
    });
  });

  describe('refuses and leaves alone', () => {
    it('a folder that is there', async () => {
      const lane = repo.lane('api');
      mkdirSync(lane.path, { recursive: true });
      writeFileSync(join(lane.path, 'mine.txt'), 'mine');
      await rejectsWith(createLane(lane), 'conflict', lane.path, 'move it away');
      assert.equal(readFileSync(join(lane.path, 'mine.txt'), 'utf8'), 'mine');
      assert.equal(await tipOf(repo.root, lane.branch), null);
    });

    it("a worktree of the user's own, also one that is locked", async () => {
      const lane = repo.lane('api');
      repo.git(['worktree', 'add', '--quiet', '--lock', '--reason', 'mine', lane.path, '-b', 'own']);
      await rejectsWith(createLane(lane), 'conflict', lane.path, 'did not make');
      assert.equal(existsSync(join(lane.path, 'README.md')), true);
    });

    it('a branch that is there, but not one of another name', async () => {
      const tip = repo.git(['rev-parse', 'HEAD']);
      repo.git(['branch', 'lane/api']);
      await rejectsWith(createLane(repo.lane('api')), 'conflict', 'lane/api', 'git branch -m');
      await rejectsWith(createLane(repo.lane('api', { reuseInto: 'main' })), 'conflict', 'lane/api');
      assert.equal(await tipOf(repo.root, 'lane/api'), tip);
      await createLane(repo.lane('api2'));
    });

    it('a branch that is checked out, or being rebased, elsewhere', async () => {
      const elsewhere = join(repo.folder, 'elsewhere');
      repo.git(['worktree', 'add', '--quiet', elsewhere, '-b', 'lane/api']);
      await rejectsWith(createLane(repo.lane('api')), 'conflict', 'lane/api', elsewhere, 'checked out');
      repo.commit({ 'new.txt': 'new' }, 'on it', elsewhere);
      assert.throws(() => repo.git(['rebase', '--quiet', '--exec', 'false', 'HEAD^'], elsewhere));
      await rejectsWith(createLane(repo.lane('api')), 'conflict', 'lane/api', elsewhere, 'rebased');
    });

    it('names that git cannot keep beside each other', async () => {
      repo.git(['branch', 'release']);
      await rejectsWith(
        createLane(repo.lane('x', { branch: 'release/x' })),
        'conflict',
        'release/x',
        'git branch -m release',
      );
      repo.git(['branch', 'team/lane/y']);
      await rejectsWith(createLane(repo.lane('y', { branch: 'team/lane' })), 'conflict', 'team/lane/y');
      await createLane(repo.lane('z', { branch: 'releases/x' }));
    });

    it('names that are no branch names', async () => {
      for (const branch of ['lane/a..b', 'lane/a b', '-x', 'lane/x.lock', '']) {
        await rejectsWith(createLane(repo.lane('x', { branch })), 'invalid_input', `"${branch}"`);
      }
    });

    it('a folder inside the main checkout or inside another lane', async () => {
      const inside = repo.lane('in', { path: join(repo.root, 'lanes', 'in') });
      await rejectsWith(createLane(inside), 'refused', repo.root);
      const lane = repo.lane('api');
      await createLane(lane);
      await rejectsWith(
        createLane(repo.lane('nested', { path: join(lane.path, 'nested') })),
        'refused',
        lane.path,
      );
    });

    it('a lane root that is a link, but not links above the repository', async () => {
      const target = join(repo.folder, 'target');
      mkdirSync(target);
      symlinkSync(target, repo.lanes);
      await rejectsWith(createLane(repo.lane('api')), 'refused', repo.lanes, 'link');
      await assertNotMade(repo.lane('api'));
      symlinkSync(repo.folder, `${repo.folder}-link`);
      try {
        await createLane(repo.lane('api', { path: join(`${repo.folder}-link`, 'real lanes', 'api') }));
      } finally {
        rmSync(`${repo.folder}-link`);
      }
    });
  });

  describe("a closed lane's branch", () => {
    async function closeLane(): Promise<LaneRequest> {
      const lane = repo.lane('api');
      await createLane(lane);
      repo.commit({ 'done.txt': 'done' }, 'Done', lane.path);
      repo.git(['worktree', 'remove', '-f', '-f', lane.path]);
      return lane;
    }

    it('is used again when all of it is merged', async () => {
      await closeLane();
      repo.git(['merge', '--quiet', '--no-ff', '-m', 'merged', 'lane/api']);
      const next = repo.lane('api', { nonce: 'second', run: 'run2', reuseInto: 'main' });
      await createLane(next);
      await assertMade(next);
    });

    it('is not used again with work that is not merged, or unasked', async () => {
      await closeLane();
      const tip = await tipOf(repo.root, 'lane/api');
      const next = repo.lane('api', { nonce: 'second' });
      await rejectsWith(createLane({ ...next, reuseInto: 'main' }), 'conflict', 'lane/api');
      repo.git(['merge', '--quiet', 'lane/api']);
      await rejectsWith(createLane(next), 'conflict', 'lane/api');
      assert.equal(await tipOf(repo.root, 'lane/api'), tip);
    });
  });

  describe('when the checkout cannot be completed', () => {
    function breakFilter(): void {
      repo.git(['config', 'filter.big.smudge', 'false']);
      repo.git(['config', 'filter.big.clean', 'cat']);
      repo.git(['config', 'filter.big.required', 'true']);
      repo.commit({ '.gitattributes': '*.big filter=big\n', 'x.big': 'big\n' });
    }

    it('takes branch and folder back, and works once the filter does', async () => {
      breakFilter();
      const lane = repo.lane('api');
      await rejectsWith(createLane(lane), 'git_failed', lane.path, 'x.big');
      await assertNotMade(lane);
      repo.git(['config', 'filter.big.smudge', 'cat']);
      await createLane(lane);
      await assertMade(lane);
    });

    it('puts a branch that it used again back to where it was', async () => {
      const first = repo.lane('api');
      await createLane(first);
      repo.git(['worktree', 'remove', '-f', '-f', first.path]);
      breakFilter();
      await rejectsWith(
        createLane(repo.lane('api', { nonce: 'second', reuseInto: 'main' })),
        'git_failed',
        'x.big',
      );
      assert.equal(await tipOf(repo.root, 'lane/api'), first.base);
    });

    it('says so when the base is no commit', async () => {
      const lane = repo.lane('api', { base: 'f'.repeat(40) });
      await rejectsWith(createLane(lane), 'git_failed', 'f'.repeat(40));
      await assertNotMade(lane);
    });
  });

  describe('post-checkout', () => {
    function hook(body: string): void {
      const file = join(repo.commonDir, 'hooks', 'post-checkout');
      mkdirSync(join(repo.commonDir, 'hooks'), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
    }

    it('runs once as for a new worktree, only when the repository is trusted', async () => {
      hook(`echo "$PWD $1 $2 $3" >> "${repo.folder}/ran"`);
      await createLane(repo.lane('untrusted', { trusted: false }));
      assert.equal(existsSync(join(repo.folder, 'ran')), false);
      const lane = repo.lane('trusted');
      await createLane(lane);
      assert.equal(
        readFileSync(join(repo.folder, 'ran'), 'utf8'),
        `${lane.path} ${'0'.repeat(40)} ${lane.base} 1\n`,
      );
    });

    it('that fails is a warning with its output', async () => {
      hook('echo "husky: command not found"; touch left.txt; exit 3');
      const lane = repo.lane('api');
      const { warnings } = await createLane(lane);
      assert.match(warnings.join('\n'), /exit 3: husky: command not found/);
      assert.match(warnings.join('\n'), /left\.txt/);
      assert.equal((await readMarker(lane.path))?.prepared, true);
    });

    it('does not see the keys of the caller', async () => {
      hook(`env > "${repo.folder}/env"`);
      process.env.AGENTKIT_TEST_API_KEY = 'not for hooks';
      try {
        await createLane(repo.lane('api'));
      } finally {
        delete process.env.AGENTKIT_TEST_API_KEY;
      }
      const seen = readFileSync(join(repo.folder, 'env'), 'utf8');
      assert.match(seen, /^PATH=/m);
      assert.doesNotMatch(seen, /not for hooks/);
    });
  });

  it('honours the sparse patterns of the main checkout', async () => {
    repo.commit({ 'other/c.txt': 'c\n' });
    repo.git(['sparse-checkout', 'set', '--cone', 'src']);
    const lane = repo.lane('api');
    await createLane(lane);
    assert.equal(existsSync(join(lane.path, 'src/a.txt')), true);
    assert.equal(existsSync(join(lane.path, 'other')), false);
    assert.equal((await laneFacts(lane)).clean, true);
  });

  it('marks in the admin folder, out of reach of a commit', async () => {
    const lane = repo.lane('api');
    await createLane(lane);
    assert.equal(await adminFolderOf(lane.path), join(repo.commonDir, 'worktrees', 'api'));
    repo.git(['clean', '-ffdx'], lane.path);
    assert.equal((await readMarker(lane.path))?.nonce, lane.nonce);
  });
});
