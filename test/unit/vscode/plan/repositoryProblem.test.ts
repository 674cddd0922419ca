import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryProblem } from '../../../../src/vscode/plan/repositoryProblem.ts';

const t = (message: string, ...args: (string | number)[]) =>
  message.replace(/\{(\d)\}/g, (_, n: string) => String(args[Number(n)]));

describe('repositoryProblem', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'agentkit-repo-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args],
      { stdio: 'ignore' },
    );
  const problem = (...folders: string[]) => repositoryProblem(folders, t);

  it('tells no folder, no repository and no commit apart, and is content with one commit', async () => {
    assert.match((await problem()) ?? '', /Open a folder/);
    assert.match((await problem(folder)) ?? '', /lies in no git repository.*git init/);
    git('init', '--quiet');
    assert.match((await problem(folder)) ?? '', /no commit yet/);
    git('commit', '--quiet', '--allow-empty', '--message', 'Start');
    assert.equal(await problem(folder), undefined);
  });

  it('looks further than a first folder without a repository', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'agentkit-other-'));
    try {
      git('init', '--quiet');
      git('commit', '--quiet', '--allow-empty', '--message', 'Start');
      mkdirSync(path.join(folder, 'deep'));
      assert.equal(await problem(other, path.join(folder, 'deep')), undefined);
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});
