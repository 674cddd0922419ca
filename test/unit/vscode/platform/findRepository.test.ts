import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRepository } from '../../../../src/vscode/platform/findRepository.ts';

describe('findRepository', () => {
  let scratch: string;
  let repository: string;
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      stdio: 'pipe',
    });

  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "agentkit fïnd 'repo ")));
    repository = path.join(scratch, 'repo');
    mkdirSync(path.join(repository, 'sub', 'deep'), { recursive: true });
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  it('finds none where there is none', async () => {
    assert.equal(await findRepository(repository), undefined);
  });

  it('tells a repository without a commit from one with', async () => {
    git(repository, 'init', '-q', '-b', 'main');
    assert.equal((await findRepository(repository))?.hasCommits, false);
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    assert.equal((await findRepository(repository))?.hasCommits, true);
    git(repository, 'pack-refs', '--all');
    assert.equal((await findRepository(repository))?.hasCommits, true);
    git(repository, 'checkout', '-q', '--detach');
    assert.equal((await findRepository(repository))?.hasCommits, true);
  });

  it('looks upwards from a folder inside', async () => {
    git(repository, 'init', '-q');
    const found = await findRepository(path.join(repository, 'sub', 'deep'));
    assert.equal(found?.top, repository);
    assert.equal(found.commonDir, path.join(repository, '.git'));
    assert.equal(found.linked, false);
  });

  it('knows a linked worktree and the folder that it shares', async () => {
    git(repository, 'init', '-q');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    const lane = path.join(scratch, 'lane');
    git(repository, 'worktree', 'add', '-q', lane);
    const found = await findRepository(lane);
    assert.equal(found?.commonDir, path.join(repository, '.git'));
    assert.equal(found.linked, true);
    assert.equal(found.hasCommits, true);
  });
});
