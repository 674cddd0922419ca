import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { chooseLaneRoot } from '../../../src/engine/git/laneRoot.ts';
import { readMarker } from '../../../src/engine/git/marker.ts';
import { openRepository } from '../../../src/engine/git/openRepository.ts';
import { ownCheckout } from '../../../src/engine/git/ownCheckout.ts';
import { remakeLane } from '../../../src/engine/git/remakeLane.ts';
import { repositoryHealth } from '../../../src/engine/git/repositoryHealth.ts';
import { resolveBase, tipOf } from '../../../src/engine/git/resolveBase.ts';
import { runPostCheckout } from '../../../src/engine/git/runPostCheckout.ts';
import { listWorktrees } from '../../../src/engine/git/worktreeList.ts';
import { rejectsWith } from './rejectsWith.ts';
import { runGit, tempRepository, type TempRepository } from './tempRepository.ts';

describe('lanes in any repository', function () {
  this.timeout(60_000);
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository();
  });
  afterEach(() => repo.remove());

  async function assertWhole(lane: LaneRequest): Promise<void> {
    const { head, branchTip, clean } = await laneFacts(lane);
    assert.deepEqual([head, branchTip, clean], [lane.base, lane.base, true]);
    assert.equal((await readMarker(lane.path))?.nonce, lane.nonce);
  }

  it('whose path has everything that careless code breaks on', async () => {
    const odd = tempRepository({ name: `-x "q" 'a' $HOME %41 ü\nz` });
    try {
      const repository = await openRepository(join(odd.root, 'src'));
      assert.deepEqual(repository, { root: odd.root, commonDir: odd.commonDir });
      const { path, why } = await chooseLaneRoot(repository);
      assert.deepEqual([path, why], [`${odd.root}-lanes`, null]);
      const lane = odd.lane('api', { path: join(path, `-l "q" $(x) %s\nz`) });
      assert.deepEqual(await createLane(lane), { warnings: [] });
      await assertWhole(lane);
      assert.deepEqual(await createLane(lane), { warnings: [] });
      rmSync(lane.path, { recursive: true });
      assert.equal(await remakeLane(lane), true);
      await assertWhole(lane);
    } finally {
      odd.remove();
    }
  });

  it('that is bare, with its worktrees beside it', async () => {
    const project = join(repo.folder, 'project');
    const bare = join(project, '.bare');
    runGit(repo.folder, ['clone', '--quiet', '--bare', repo.root, bare]);
    writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
    await rejectsWith(openRepository(project), 'refused', bare, 'worktree add');
    runGit(bare, ['worktree', 'add', '--quiet', join(project, 'feature'), '-b', 'feature']);
    const main = join(project, 'main');
    runGit(bare, ['worktree', 'add', '--quiet', main, 'main']);
    const repository = await openRepository(project);
    assert.deepEqual(repository, { root: main, commonDir: bare });
    assert.deepEqual(await repositoryHealth(repository), []);
    const { path } = await chooseLaneRoot(repository);
    assert.equal(path, `${project}-lanes`);
    const lane = { ...repo.lane('api'), ...repository, path: join(path, 'api') };
    await createLane(lane);
    await assertWhole(lane);
    for (const folder of [join(project, 'feature'), lane.path, bare])
      assert.deepEqual(await openRepository(folder), repository, folder);
    assert.equal(await ownCheckout(repository, lane.path), main);
    assert.equal((await resolveBase({ root: main })).ref, 'main');
  });

  it('of which a worktree or a lane is open: lanes always stand beside the main checkout', async () => {
    const own = join(repo.folder, 'elsewhere', 'own');
    repo.git(['worktree', 'add', '--quiet', own, '-b', 'own']);
    const lane = repo.lane('api');
    await createLane(lane);
    for (const folder of [own, lane.path]) {
      const repository = await openRepository(folder);
      assert.equal((await chooseLaneRoot(repository)).path, `${repo.root}-lanes`);
    }
  });

  it('that lies in another one, whose files lanes must not become', async () => {
    const inner = join(repo.root, 'inner');
    runGit(repo.root, ['clone', '--quiet', repo.root, inner]);
    const repository = await openRepository(inner);
    const { path, why } = await chooseLaneRoot(repository);
    assert.equal(path, join(inner, '.git', 'agentkit', 'lanes'));
    assert.match(why ?? '', /inner-lanes cannot be used: it would show up as new files/);
    const lane = { ...repo.lane('api'), ...repository, path: join(path, 'api') };
    await createLane(lane);
    await assertWhole(lane);
    repo.write({ '.gitignore': 'inner-lanes\n' });
    assert.deepEqual(await chooseLaneRoot(repository), { path: `${inner}-lanes`, why: null });
  });

  it('tells why lanes do not stand beside it', async () => {
    const shared = { root: '/dev/shm', commonDir: repo.commonDir };
    if (existsSync(shared.root)) assert.match((await chooseLaneRoot(shared)).why ?? '', /another device/);
    writeFileSync(`${repo.root}-lanes`, 'mine');
    assert.match((await chooseLaneRoot(repo)).why ?? '', /it is no folder/);
  });

  it('whose shared core.bare was flipped says so, with the cure', async () => {
    const { root, commonDir } = repo;
    assert.deepEqual(await repositoryHealth({ root, commonDir }), []);
    repo.git(['config', 'core.bare', 'true']);
    const cure = `git config --file "${commonDir}/config" core.bare false`;
    assert.ok((await repositoryHealth({ root, commonDir })).join().includes(cure));
    await rejectsWith(openRepository(commonDir), 'refused', cure);
    runGit(repo.folder, ['config', '--file', join(commonDir, 'config'), 'core.bare', 'false']);
    assert.deepEqual(await repositoryHealth(await openRepository(root)), []);
  });

  it('whose main checkout was moved: each side names the repair, which works', async () => {
    const lane = repo.lane('api');
    await createLane(lane);
    const root = `${repo.root} moved`;
    renameSync(repo.root, root);
    await rejectsWith(openRepository(join(lane.path, 'src')), 'not_found', lane.path, 'git worktree repair');
    const repository = await openRepository(root);
    const again = { ...lane, ...repository };
    await rejectsWith(createLane(again), 'conflict', lane.path, 'worktree repair');
    await rejectsWith(laneFacts(lane), 'git_failed', lane.path);
    runGit(root, ['worktree', 'repair', lane.path]);
    assert.deepEqual(await createLane(again), { warnings: [] });
    await assertWhole(again);
    renameSync(root, repo.root);
  });

  it('with submodules, which are empty in a lane and named', async () => {
    repo.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.root, 'libs/the lib']);
    const lane = repo.lane('api', { base: repo.commit({}) });
    const { warnings } = await createLane(lane);
    assert.match(warnings.join(), /^Submodules are empty in this lane: libs\/the lib\. .*submodule update/);
    await assertWhole(lane);
  });

  describe('with Git LFS', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n';
    let lane: LaneRequest;
    beforeEach(() => {
      const base = repo.commit({ '.gitattributes': '*.bin filter=lfs -text\n', 'a ü.bin': pointer });
      lane = repo.lane('api', { base });
    });

    function configure(required: boolean, process = true): void {
      repo.git(['config', 'filter.lfs.smudge', 'git-lfs-is-not-here smudge -- %f']);
      repo.git(['config', 'filter.lfs.clean', 'git-lfs-is-not-here clean -- %f']);
      if (process) repo.git(['config', 'filter.lfs.process', 'git-lfs-is-not-here filter-process']);
      repo.git(['config', 'filter.lfs.required', String(required)]);
    }

    async function assertPointers(): Promise<void> {
      const { warnings } = await createLane(lane);
      assert.match(warnings.join(), /these files are only pointers here: a ü\.bin\. .*git lfs pull/);
      assert.equal(readFileSync(join(lane.path, 'a ü.bin'), 'utf8'), pointer);
      await assertWhole(lane);
      assert.equal(runGit(lane.path, ['status', '--porcelain']), '');
    }

    it('that was never set up', () => assertPointers());

    for (const process of [true, false])
      it(`that is required and missing, as a ${process ? 'process' : 'command'}`, async () => {
        configure(true, process);
        await assertPointers();
      });

    it('that is missing and not required', async () => {
      configure(false);
      await assertPointers();
    });

    it('that works is left alone', async () => {
      repo.git(['config', 'filter.lfs.smudge', 'cat']);
      repo.git(['config', 'filter.lfs.clean', 'cat']);
      assert.deepEqual(await createLane(lane), { warnings: [] });
    });
  });

  describe('with hooks', () => {
    function hook(folder: string, body: string): void {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'post-checkout'), `#!/bin/sh\n${body}\n`);
      chmodSync(join(folder, 'post-checkout'), 0o755);
    }

    it('in a generated folder, that are not there in a lane, says so; those that are committed run', async () => {
      repo.git(['config', 'core.hooksPath', '.husky/_']);
      hook(join(repo.root, '.husky/_'), `touch "${repo.folder}/ran"`);
      const { warnings } = await createLane(repo.lane('api'));
      assert.match(warnings.join(), /^Hooks are not active in this lane: core\.hooksPath is "\.husky\/_"/);
      assert.equal(existsSync(join(repo.folder, 'ran')), false);
      const base = repo.commit({});
      assert.deepEqual(await createLane(repo.lane('web', { base })), { warnings: [] });
      assert.equal(existsSync(join(repo.folder, 'ran')), true);
      assert.equal(repo.git(['config', 'core.hooksPath']), '.husky/_');
    });

    it('in a folder that is not there for any checkout, tells nothing new', async () => {
      repo.git(['config', 'core.hooksPath', join(repo.folder, 'nowhere')]);
      assert.deepEqual(await createLane(repo.lane('api')), { warnings: [] });
    });

    it('of which post-checkout never ends: it is stopped, and its words are in the warning', async () => {
      const hooks = join(repo.commonDir, 'hooks');
      hook(hooks, 'echo "asking the registry"; sleep 600');
      const lane = repo.lane('api', { trusted: false });
      await createLane(lane);
      const warnings = await runPostCheckout({ path: lane.path, base: lane.base, hooks }, 2000);
      assert.match(warnings.join(), /had not ended after 2 s and was stopped; it said: asking the registry/);
      await assertWhole(lane);
    });
  });

  describe('whose lane somebody', () => {
    let lane: LaneRequest;
    let elsewhere: string;
    beforeEach(async () => {
      lane = repo.lane('api');
      elsewhere = join(repo.folder, 'moved here');
      await createLane(lane);
      writeFileSync(join(lane.path, 'work.txt'), 'work');
    });

    async function assertBack(): Promise<void> {
      assert.equal(readFileSync(join(lane.path, 'work.txt'), 'utf8'), 'work');
      assert.deepEqual((await laneFacts(lane)).untracked, ['work.txt']);
      const there = (await listWorktrees(repo.root)).map(({ path }) => path);
      assert.deepEqual(there, [repo.root, lane.path]);
    }

    it('has moved with git is found by its mark, put back and adopted', async () => {
      repo.git(['worktree', 'move', '--force', '--force', lane.path, elsewhere]);
      const { warnings } = await createLane(lane);
      assert.ok(warnings.join().includes(`had been moved to ${elsewhere}, and was moved back`));
      await assertBack();
      repo.git(['worktree', 'move', '--force', '--force', lane.path, elsewhere]);
      assert.equal(await remakeLane(lane), true);
      await assertBack();
    });

    it('has renamed by hand is found beside its old place; another lane is not taken for it', async () => {
      renameSync(lane.path, join(dirname(lane.path), 'renamed'));
      const other = repo.lane('aaa');
      await createLane(other);
      assert.equal(await remakeLane(lane), true);
      await rejectsWith(createLane({ ...lane, nonce: 'another' }), 'conflict', lane.path);
      repo.git(['worktree', 'remove', '--force', '--force', other.path]);
      await assertBack();
    });

    it('has moved where something else took its place is not overwritten', async () => {
      renameSync(lane.path, join(dirname(lane.path), 'renamed'));
      writeFileSync(lane.path, 'mine');
      await rejectsWith(createLane(lane), 'conflict', lane.path);
      assert.equal(readFileSync(lane.path, 'utf8'), 'mine');
      assert.equal(existsSync(join(dirname(lane.path), 'renamed', 'work.txt')), true);
      assert.equal(await remakeLane(lane), false);
    });

    it('has removed, with git or by hand, is made again from its branch', async () => {
      repo.git(['add', '.'], lane.path);
      const tip = repo.commit({}, 'work', lane.path);
      const byGit = () => repo.git(['worktree', 'remove', '--force', '--force', lane.path]);
      const byHand = () => rmSync(lane.path, { recursive: true });
      const unlocked = () => {
        repo.git(['worktree', 'unlock', lane.path]);
        byHand();
      };
      for (const remove of [byGit, byHand, unlocked]) {
        remove();
        assert.equal(await remakeLane(lane), true, basename(lane.path));
        assert.deepEqual([(await laneFacts(lane)).head, (await laneFacts(lane)).clean], [tip, true]);
      }
    });

    it('has removed and that was half made again when we were killed is made again whole', async () => {
      const tip = repo.commit({}, 'work', lane.path);
      repo.git(['worktree', 'remove', '--force', '--force', lane.path]);
      const reason = `agentkit run1/api ${lane.nonce}`;
      const add = ['worktree', 'add', '--no-checkout', '--lock', '--reason', reason, lane.path, lane.branch];
      repo.git(add);
      assert.equal(await remakeLane(lane), true);
      assert.deepEqual([(await laneFacts(lane)).head, (await laneFacts(lane)).clean], [tip, true]);
      assert.equal(await tipOf(repo.root, lane.branch), tip);
    });
  });
});
