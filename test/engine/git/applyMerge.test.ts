import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMerge } from '../../../src/engine/git/applyMerge.ts';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { prepareMergeTree, type MergeTree } from '../../../src/engine/git/prepareMergeTree.ts';
import { tipOf } from '../../../src/engine/git/resolveBase.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('applyMerge', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(async () => {
    repo = tempRepository();
    repo.commit({ '.gitignore': 'ignored/\n*.log\n' });
    lane = repo.lane('api');
    await createLane(lane);
  });
  afterEach(() => repo.remove());

  /** The merge of the lane's work into main, ready to be applied. */
  async function prepared(
    work: Record<string, string>,
  ): Promise<{ from: string; merge: MergeTree; apply: () => Promise<{ to: string }> }> {
    const head = repo.commit(work, 'Work', lane.path);
    const from = (await tipOf(repo.root, 'main')) ?? '';
    const { root, commonDir, lanes: laneRoot } = repo;
    const merge = await prepareMergeTree({
      root,
      commonDir,
      laneRoot,
      target: 'main',
      from,
      head,
      message: 'Merge lane api',
      run: 'run1',
    });
    return { from, merge, apply: () => applyMerge({ root, target: 'main', from, commit: merge.commit }) };
  }

  it('moves a target that is checked out together with its files, and keeps what it does not touch', async () => {
    const { merge, apply } = await prepared({ 'src/a.txt': 'lane\n', 'src/new.txt': 'new\n' });
    repo.write({ 'README.md': 'mine\n', 'notes.txt': 'mine\n', 'y.log': 'mine\n' });
    assert.deepEqual(await apply(), { to: merge.commit });
    assert.equal(await tipOf(repo.root, 'main'), merge.commit);
    assert.equal(repo.git(['status', '--porcelain']), ' M README.md\n?? notes.txt');
    assert.equal(readFileSync(join(repo.root, 'src/a.txt'), 'utf8'), 'lane\n');
    assert.equal(readFileSync(join(repo.root, 'y.log'), 'utf8'), 'mine\n');
  });

  it('moves a target that is checked out nowhere, and one in a linked worktree, and leaves the main checkout alone', async () => {
    repo.git(['switch', '--quiet', '-c', 'mine']);
    const first = await prepared({ 'one.txt': '1\n' });
    await first.apply();
    assert.equal(await tipOf(repo.root, 'main'), first.merge.commit);
    const linked = join(repo.folder, 'linked');
    repo.git(['worktree', 'add', '--quiet', linked, 'main']);
    const second = await prepared({ 'two.txt': '2\n' });
    await second.apply();
    assert.equal(await tipOf(repo.root, 'main'), second.merge.commit);
    assert.equal(repo.git(['status', '--porcelain'], linked), '');
    assert.equal(existsSync(join(linked, 'two.txt')), true);
    assert.equal(repo.git(['status', '--porcelain']), '');
    assert.equal(existsSync(join(repo.root, 'two.txt')), false);
  });

  it('is fine when repeated, also after the user went on', async () => {
    const { merge, apply } = await prepared({ 'x.txt': 'x\n' });
    await apply();
    assert.deepEqual(await apply(), { to: merge.commit });
    const later = repo.commit({ 'later.txt': 'x\n' });
    assert.deepEqual(await apply(), { to: merge.commit });
    assert.equal(await tipOf(repo.root, 'main'), later);
  });

  it('refuses a target that has moved, whether it is checked out or not', async () => {
    const { apply } = await prepared({ 'x.txt': 'x\n' });
    const tip = repo.commit({ 'moved.txt': 'x\n' });
    await rejectsWith(apply(), 'conflict', 'main moved', 'plan the merge again');
    repo.git(['switch', '--quiet', '--detach']);
    await rejectsWith(apply(), 'conflict', 'main moved');
    assert.equal(await tipOf(repo.root, 'main'), tip);
    repo.git(['branch', '-D', 'main']);
    await rejectsWith(apply(), 'conflict', 'main is gone');
  });

  for (const [where, leave] of [
    ['checked out nowhere', true],
    ['checked out', false],
  ] as const) {
    it(`lets one of two merges in the same moment win: ${where}`, async () => {
      const one = await prepared({ 'x.txt': 'one\n' });
      const two = await prepared({ 'x.txt': 'two\n' });
      if (leave) repo.git(['switch', '--quiet', '--detach']);
      const results = await Promise.allSettled([one.apply(), two.apply()]);
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.to] : []));
      assert.equal(won.length, 1);
      assert.equal(await tipOf(repo.root, 'main'), won[0]);
      assert.equal(repo.git(['status', '--porcelain']), '');
    });
  }

  it('refuses a commit that was not made on the target', async () => {
    const { from } = await prepared({ 'x.txt': 'x\n' });
    const stray = repo.git(['commit-tree', '-m', 'stray', 'HEAD^{tree}']);
    await rejectsWith(
      applyMerge({ root: repo.root, target: 'main', from, commit: stray }),
      'conflict',
      'was not made on',
    );
    assert.equal(await tipOf(repo.root, 'main'), from);
  });

  it('refuses a target that is being rebased, or checked out twice', async () => {
    const { from, apply } = await prepared({ 'x.txt': 'x\n' });
    const linked = join(repo.folder, 'linked');
    repo.git(['worktree', 'add', '--quiet', '--force', linked, 'main']);
    await rejectsWith(apply(), 'conflict', 'more than once', linked);
    repo.git(['switch', '--quiet', '--detach']);
    assert.throws(() => repo.git(['rebase', '--quiet', '--exec', 'false', 'HEAD^'], linked));
    await rejectsWith(apply(), 'conflict', 'main is being rebased', linked);
    assert.equal(await tipOf(repo.root, 'main'), from);
    repo.git(['rebase', '--abort'], linked);
    await apply();
  });

  describe("overwrites no file of the user's", () => {
    const cases: { name: string; work: Record<string, string>; file: string }[] = [
      { name: 'changed', work: { 'src/a.txt': 'lane\n' }, file: 'src/a.txt' },
      { name: 'untracked', work: { 'src/new.txt': 'lane\n' }, file: 'src/new.txt' },
      { name: 'ignored', work: { 'x.log': 'lane\n' }, file: 'x.log' },
      { name: 'ignored in a folder that becomes a file', work: { dir: 'lane\n' }, file: 'dir/x.log' },
      { name: 'ignored file that becomes a folder', work: { 'dir.log/x.txt': 'lane\n' }, file: 'dir.log' },
    ];
    for (const { name, work, file } of cases) {
      it(name, async () => {
        const { from, apply, merge } = await prepared(work);
        const before = existsSync(join(repo.root, file)) ? readFileSync(join(repo.root, file), 'utf8') : null;
        repo.write({ [file]: 'mine\n' });
        await rejectsWith(apply(), 'conflict', file, repo.root);
        assert.equal(await tipOf(repo.root, 'main'), from);
        assert.equal(readFileSync(join(repo.root, file), 'utf8'), 'mine\n');
        if (before === null)
          rmSync(join(repo.root, file.split('/')[0] === 'src' ? file : (file.split('/')[0] ?? '')), {
            recursive: true,
          });
        else repo.write({ [file]: before });
        assert.deepEqual(await apply(), { to: merge.commit });
        assert.equal(repo.git(['status', '--porcelain']), '');
      });
    }

    it('nor anything behind a link', async () => {
      const { apply } = await prepared({ 'dir/x.txt': 'lane\n' });
      const outside = join(repo.folder, 'outside');
      repo.write({ 'x.txt': 'mine\n' }, outside);
      symlinkSync(outside, join(repo.root, 'dir'));
      await rejectsWith(apply(), 'conflict', 'dir');
      assert.equal(readFileSync(join(outside, 'x.txt'), 'utf8'), 'mine\n');
    });
  });

  it("is not diverted by the user's merge settings and hooks", async () => {
    const { merge, apply } = await prepared({ 'x.txt': 'x\n' });
    for (const [key, value] of [
      ['merge.ff', 'false'],
      ['merge.autoStash', 'true'],
      ['merge.verifySignatures', 'true'],
      ['branch.main.mergeOptions', '--squash --no-ff'],
      ['core.hooksPath', join(repo.folder, 'hooks')],
    ] as const) {
      repo.git(['config', key, value]);
    }
    for (const [hook, body] of [
      ['post-merge', 'touch ran'],
      ['reference-transaction', 'exit 1'],
    ] as const) {
      repo.write({ [`hooks/${hook}`]: `#!/bin/sh\n${body}\n` }, repo.folder);
      chmodSync(join(repo.folder, 'hooks', hook), 0o755);
    }
    assert.throws(() => repo.git(['branch', 'stopped-by-the-hook']));
    await apply();
    assert.equal(await tipOf(repo.root, 'main'), merge.commit);
    assert.equal(existsSync(join(repo.root, 'ran')), false);
  });

  it('waits while the index of the checkout is locked for a moment', async () => {
    const { merge, apply } = await prepared({ 'x.txt': 'x\n' });
    const lock = join(repo.commonDir, 'index.lock');
    writeFileSync(lock, '');
    const timer = setTimeout(() => rmSync(lock), 300);
    try {
      assert.deepEqual(await apply(), { to: merge.commit });
    } finally {
      clearTimeout(timer);
    }
  });

  it('refuses while the shared config is ill', async () => {
    const { from, apply } = await prepared({ 'x.txt': 'x\n' });
    repo.git(['config', 'core.bare', 'true']);
    await assert.rejects(apply(), /core\.bare/);
    assert.equal(await tipOf(repo.commonDir, 'main'), from);
    repo.git(['config', '--file', join(repo.commonDir, 'config'), 'core.bare', 'false']);
    await apply();
  });
});
