import assert from 'node:assert/strict';
import { currentBranch, resolveBase, tipOf } from '../../../src/engine/git/resolveBase.ts';
import { rejectsWith } from './rejectsWith.ts';
import { runGit, tempRepository, type TempRepository } from './tempRepository.ts';

describe('resolveBase', () => {
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository({ branch: 'master' });
  });
  afterEach(() => repo.remove());

  it('takes the current branch, whatever its name', async () => {
    const sha = repo.git(['rev-parse', 'HEAD']);
    assert.deepEqual(await resolveBase(repo), { ref: 'master', sha, warnings: [] });
    repo.git(['switch', '--quiet', '-c', 'feature/ü']);
    const tip = repo.commit({ 'x.txt': 'x' });
    assert.deepEqual(await resolveBase(repo), { ref: 'feature/ü', sha: tip, warnings: [] });
  });

  it('takes what was asked for before it: a branch before a tag of its name, a tag, a commit', async () => {
    const first = repo.git(['rev-parse', 'HEAD']);
    repo.git(['branch', 'both']);
    const second = repo.commit({ 'x.txt': 'x' });
    repo.git(['tag', '-a', '-m', 'two', 'both']);
    repo.git(['tag', '-a', '-m', 'two', 'v2']);
    assert.equal((await resolveBase(repo, 'both')).sha, first);
    assert.deepEqual(await resolveBase(repo, 'v2'), { ref: 'v2', sha: second, warnings: [] });
    assert.equal((await resolveBase(repo, first.slice(0, 12))).sha, first);
  });

  it('takes the commit of a detached HEAD', async () => {
    const sha = repo.git(['rev-parse', 'HEAD']);
    repo.git(['switch', '--quiet', '--detach']);
    assert.equal(await currentBranch(repo.root), null);
    assert.deepEqual(await resolveBase(repo), { ref: 'HEAD', sha, warnings: [] });
  });

  it('refuses what is not there, also when it looks like an option', async () => {
    await rejectsWith(resolveBase(repo, 'main'), 'not_found', '"main"', 'git branch --all');
    await rejectsWith(resolveBase(repo, '--all'), 'not_found', '"--all"');
    assert.equal(await tipOf(repo.root, 'main'), null);
    assert.equal(await tipOf(repo.root, 'master'), repo.git(['rev-parse', 'HEAD']));
  });

  it('tells when the base has commits that its upstream has not', async () => {
    const clone = `${repo.folder}/clone`;
    runGit(repo.folder, ['clone', '--quiet', repo.root, clone]);
    runGit(clone, [
      '-c',
      'user.name=a',
      '-c',
      'user.email=b',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'local',
    ]);
    const base = await resolveBase({ root: clone });
    assert.match(base.warnings.join(), /master is ahead 1 of origin\/master/);
  });
});
