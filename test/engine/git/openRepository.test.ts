import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository } from '../../../src/engine/git/openRepository.ts';
import { resolveBase } from '../../../src/engine/git/resolveBase.ts';
import { rejectsWith } from './rejectsWith.ts';
import { runGit, tempRepository, type TempRepository } from './tempRepository.ts';

describe('openRepository', () => {
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository();
  });
  afterEach(() => repo.remove());

  it('finds the main checkout from its top, a subfolder, a link to it and a linked worktree', async () => {
    const linked = join(repo.folder, 'linked');
    repo.git(['worktree', 'add', '--quiet', '-b', 'side', linked]);
    symlinkSync(repo.root, join(repo.folder, 'link'));
    mkdirSync(join(linked, 'deep'));
    const expected = { root: repo.root, commonDir: repo.commonDir };
    for (const folder of [
      repo.root,
      join(repo.root, 'src'),
      join(repo.folder, 'link'),
      linked,
      join(linked, 'deep'),
    ]) {
      assert.deepEqual(await openRepository(folder), expected, folder);
    }
  });

  it('finds the checkout of a submodule and of a separate git directory', async () => {
    repo.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.root, 'sub']);
    const sub = join(repo.root, 'sub');
    assert.deepEqual(await openRepository(sub), {
      root: sub,
      commonDir: join(repo.commonDir, 'modules', 'sub'),
    });
    const apart = join(repo.folder, 'apart');
    runGit(repo.folder, [
      'clone',
      '--quiet',
      '--separate-git-dir',
      join(repo.folder, 'apart.git'),
      repo.root,
      apart,
    ]);
    assert.equal((await openRepository(apart)).root, apart);
  });

  it('names the cure when there is no folder, no repository or no checkout', async () => {
    await rejectsWith(openRepository(join(repo.folder, 'nowhere')), 'not_found', 'nowhere', 'no folder');
    await rejectsWith(openRepository(repo.folder), 'not_found', repo.folder, 'git init');
    const bare = join(repo.folder, 'bare.git');
    runGit(repo.folder, ['clone', '--quiet', '--bare', repo.root, bare]);
    await rejectsWith(openRepository(bare), 'refused', 'bare', 'clone', 'worktree add');
    const side = join(repo.folder, 'of bare');
    runGit(bare, ['worktree', 'add', '--quiet', '-b', 'side', side]);
    assert.deepEqual(await openRepository(side), { root: side, commonDir: bare });
  });

  it('opens one whose branch has no commit yet; a base is found where another has one, else none', async () => {
    const empty = join(repo.folder, 'empty');
    runGit(repo.folder, ['init', '--quiet', empty]);
    assert.equal((await openRepository(empty)).root, empty);
    await rejectsWith(resolveBase({ root: empty }), 'not_found', empty, 'git commit --allow-empty');
    repo.git(['symbolic-ref', 'HEAD', 'refs/heads/unborn']);
    assert.equal((await openRepository(repo.root)).root, repo.root);
    assert.equal((await resolveBase({ root: repo.root })).ref, 'main');
  });

  it('says when git is not there', async () => {
    const path = process.env.PATH;
    process.env.PATH = join(repo.folder, 'no-bin');
    try {
      await rejectsWith(openRepository(repo.root), 'not_installed', 'git');
    } finally {
      process.env.PATH = path;
    }
  });

  it('is not diverted by variables of a caller that itself runs under git', async () => {
    const other = tempRepository({ name: 'other' });
    const saved = { ...process.env };
    Object.assign(process.env, {
      GIT_DIR: other.commonDir,
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: '/nowhere',
    });
    try {
      assert.equal((await openRepository(repo.root)).root, repo.root);
    } finally {
      for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) {
        if (saved[name] === undefined) delete process.env[name];
        else process.env[name] = saved[name];
      }
      other.remove();
    }
  });
});
