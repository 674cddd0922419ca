import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fetchBase } from '../../../src/engine/git/fetchBase.ts';
import { currentBranch, resolveBase, tipOf } from '../../../src/engine/git/resolveBase.ts';
import { rejectsWith } from './rejectsWith.ts';
import { runGit, tempRepository, type TempRepository } from './tempRepository.ts';

describe('resolveBase', function () {
  this.timeout(60_000);
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository({ branch: 'master' });
  });
  afterEach(() => repo.remove());

  /** A clone of the repository, in which somebody can commit. */
  function clone(name = 'clone', more: string[] = []): { root: string; git: (...args: string[]) => string } {
    const root = join(repo.folder, name);
    runGit(repo.folder, ['clone', '--quiet', ...more, repo.root, root]);
    const git = (...args: string[]) =>
      runGit(root, ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    return { root, git };
  }

  async function found(root: string): Promise<[string, string | null, string]> {
    const { ref, branch, how } = await resolveBase({ root });
    return [ref, branch, how];
  }

  it('takes the first that there is, from the default branch of the remote down to the commit checked out', async () => {
    repo.git(['branch', 'trunk']);
    repo.git(['branch', 'main']);
    const { root, git } = clone();
    git('switch', '--quiet', '-c', 'feature');
    git('branch', 'main');
    git('remote', 'set-head', 'origin', 'trunk');
    const steps: [string[][], [string, string | null, string]][] = [
      [[], ['origin/trunk', 'trunk', 'the default branch of origin']],
      [
        [['update-ref', '-d', 'refs/remotes/origin/trunk']],
        ['origin/main', 'main', 'found on origin, of which no default branch is known'],
      ],
      [
        [['remote', 'set-head', '-d', 'origin']],
        ['origin/main', 'main', 'found on origin, of which no default branch is known'],
      ],
      [
        [['update-ref', '-d', 'refs/remotes/origin/main']],
        ['origin/master', 'master', 'found on origin, of which no default branch is known'],
      ],
      [[['remote', 'remove', 'origin']], ['main', 'main', 'the main of this clone']],
      [[['branch', '-D', 'main']], ['master', 'master', 'the master of this clone']],
      [[['branch', '-D', 'master']], ['feature', 'feature', 'the branch checked out here']],
      [[['switch', '--quiet', '--detach']], ['HEAD', null, 'the commit checked out here']],
    ];
    for (const [commands, expected] of steps) {
      for (const args of commands) git(...args);
      assert.deepEqual(await found(root), expected);
    }
    assert.equal(await currentBranch(root), null);
  });

  it('takes the only remote for the one that counts, and none of several', async () => {
    const { root, git } = clone('other', ['--origin', 'company/git']);
    assert.deepEqual(await found(root), [
      'company/git/master',
      'master',
      'the default branch of company/git',
    ]);
    assert.equal((await resolveBase({ root }, 'company/git/master')).branch, 'master');
    git('remote', 'add', 'second', repo.root);
    assert.equal((await found(root))[0], 'master');
  });

  it('takes what was asked for before it: a branch before a tag of its name, a tag, a commit', async () => {
    const first = repo.git(['rev-parse', 'HEAD']);
    repo.git(['branch', 'both']);
    const second = repo.commit({ 'x.txt': 'x' });
    repo.git(['tag', '-a', '-m', 'two', 'both']);
    repo.git(['tag', '-a', '-m', 'two', 'v2']);
    assert.equal((await resolveBase(repo, 'both')).sha, first);
    const expected = { ref: 'v2', sha: second, how: 'as asked for', branch: null, warnings: [] };
    assert.deepEqual(await resolveBase(repo, 'v2'), expected);
    assert.equal((await resolveBase(repo, first.slice(0, 12))).sha, first);
    assert.equal((await resolveBase(repo, 'both')).branch, 'both');
  });

  it('refuses what is not there, also when it looks like an option', async () => {
    await rejectsWith(resolveBase(repo, 'main'), 'not_found', '"main"', 'git branch --all');
    await rejectsWith(resolveBase(repo, '--all'), 'not_found', '"--all"');
    assert.equal(await tipOf(repo.root, 'main'), null);
    assert.equal(await tipOf(repo.root, 'master'), repo.git(['rev-parse', 'HEAD']));
    const empty = join(repo.folder, 'empty');
    runGit(repo.folder, ['init', '--quiet', empty]);
    await rejectsWith(resolveBase({ root: empty }), 'not_found', empty, 'git commit --allow-empty');
  });

  it('tells how local and remote branch stand to each other, whichever lanes start from', async () => {
    const { root, git } = clone();
    assert.deepEqual((await resolveBase({ root })).warnings, []);
    git('commit', '--quiet', '--allow-empty', '-m', 'local');
    const remote = await resolveBase({ root });
    assert.match(
      remote.warnings.join(),
      /^master here is ahead of its upstream origin\/master by 1: .*lanes start without that; to have it, name as base: master$/,
    );
    const local = await resolveBase({ root }, 'master');
    assert.match(local.warnings.join(), /^master is ahead 1 of origin\/master/);
    git('reset', '--quiet', '--hard', 'HEAD^');
    repo.commit({ 'more.txt': 'x' });
    repo.commit({ 'more.txt': 'y' });
    git('fetch', '--quiet');
    assert.match((await resolveBase({ root })).warnings.join(), /^master here is 2 behind origin\/master/);
    assert.match((await resolveBase({ root }, 'master')).warnings.join(), /^master is behind 2 of/);
  });

  it('tells what is checked out and not in the base, and asks about one that has other files', async () => {
    repo.git(['switch', '--quiet', '-c', 'feature']);
    repo.commit({ 'x.txt': 'x' });
    const told = async (name?: string) => (await resolveBase(repo, name)).warnings.join();
    assert.match(
      await told(),
      /^feature, checked out here, has 1 that master has not.*lanes start without that; to have it, name as base: feature$/,
    );
    repo.commit(Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`new/${n}.txt`, 'n'])));
    assert.match(await told(), /^master has less than half of the files .* is it the right branch\?/);
    assert.equal(await told('master'), '');
    repo.git(['switch', '--quiet', 'master']);
    assert.equal(await told(), '');
  });

  describe('fetched', () => {
    it('takes just the branch behind the base, no tags, and changes nothing else', async () => {
      repo.git(['branch', 'side']);
      const { root, git } = clone();
      const old = git('rev-parse', 'origin/side');
      const tip = repo.commit({ 'new.txt': 'new' });
      repo.git(['tag', 'v1']);
      repo.git(['branch', '-f', 'side']);
      assert.deepEqual(await fetchBase({ root, ref: 'origin/master', budgetMs: 30_000 }), []);
      assert.equal((await resolveBase({ root })).sha, tip);
      assert.equal(git('rev-parse', 'origin/side'), old);
      assert.equal(git('tag'), '');
      assert.equal(git('rev-parse', 'master'), old);
      repo.commit({ 'new.txt': 'newer' });
      assert.deepEqual(await fetchBase({ root, ref: 'master', budgetMs: 30_000 }), []);
      assert.match((await resolveBase({ root }, 'master')).warnings.join(), /behind 2/);
    });

    it('asks no remote where none is behind the base', async () => {
      const { root, git } = clone();
      git('branch', '--no-track', 'own');
      git('remote', 'set-url', 'origin', join(repo.folder, 'gone'));
      const sha = git('rev-parse', 'HEAD');
      for (const ref of ['own', 'HEAD', sha, 'origin/none'])
        assert.deepEqual(await fetchBase({ root, ref, budgetMs: 30_000 }), []);
    });

    it('tells what it has when the remote is gone, or does not answer in time', async () => {
      const { root, git } = clone();
      git('remote', 'set-url', 'origin', join(repo.folder, 'gone'));
      const short = git('rev-parse', '--short', 'HEAD');
      const [gone = ''] = await fetchBase({ root, ref: 'origin/master', budgetMs: 30_000 });
      assert.match(gone, /^Could not fetch master from origin; origin\/master is /);
      assert.ok(gone.includes(`${short} of 2`), gone);
      git('remote', 'set-url', 'origin', 'ssh://example.invalid/x');
      git('config', 'core.sshCommand', `sh -c 'echo "$@" > "${repo.folder}/asked"; sleep 600' --`);
      const begin = performance.now();
      const [late = ''] = await fetchBase({ root, ref: 'origin/master', budgetMs: 1500 });
      assert.match(late, /had not ended after 1.5 s/);
      assert.ok(performance.now() - begin < 60_000);
      assert.equal((await resolveBase({ root })).ref, 'origin/master');
    });
  });
});
