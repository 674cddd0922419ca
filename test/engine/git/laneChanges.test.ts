import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, parseNameStatus } from '../../../src/engine/git/changedFiles.ts';
import { changesBase, laneChanges, laneCommits, parseNumstat } from '../../../src/engine/git/laneChanges.ts';
import { readBlob } from '../../../src/engine/git/readBlob.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('what a lane changed', () => {
  let repo: TempRepository;
  let base: string;
  beforeEach(() => {
    repo = tempRepository();
    base = repo.commit({ 'long.txt': 'one\ntwo\nthree\nfour\nfive\n', 'gone.txt': 'gone\n' });
  });
  afterEach(() => repo.remove());

  function change(): string {
    repo.commit({ 'src/a.txt': 'a\nmore\n' }, 'One\n\nwith a body');
    renameSync(join(repo.root, 'long.txt'), join(repo.root, 'ü "q"\nx.txt'));
    repo.git(['rm', '--quiet', 'gone.txt']);
    symlinkSync('a.txt', join(repo.root, 'src/link'));
    return repo.commit({ 'image.bin': Buffer.from([0, 1, 2, 0]) }, 'Zwei ü');
  }

  it('counts files, lines and commits, and lists both paths of a rename', async () => {
    const head = change();
    const changes = await laneChanges({ path: repo.root, base, head });
    assert.deepEqual(
      { ...changes, paths: changes.paths.sort() },
      {
        files: 6,
        insertions: 7,
        deletions: 6,
        commits: 2,
        paths: ['gone.txt', 'image.bin', 'long.txt', 'src/a.txt', 'src/link', 'ü "q"\nx.txt'],
      },
    );
    const none = { files: 0, insertions: 0, deletions: 0, commits: 0, paths: [] };
    assert.deepEqual(await laneChanges({ path: repo.root, base, head: base }), none);
  });

  it("is told from where the lane last took the target in, but never from before the lane's own base", async () => {
    const from = (more: object) =>
      changesBase({ path: repo.root, base, head: base, target: 'main', ...more });
    repo.git(['switch', '--quiet', '-c', 'lane']);
    const own = repo.commit({ 'own.txt': 'own\n' });
    repo.git(['switch', '--quiet', 'main']);
    const moved = repo.commit({ 'main.txt': 'main\n' });
    assert.equal(await from({ head: own }), base, 'a target that moved on changes nothing');
    repo.git(['switch', '--quiet', 'lane']);
    repo.git(['merge', '--quiet', '-m', 'take in', 'main']);
    const merged = repo.git(['rev-parse', 'HEAD']).trim();
    assert.equal(await from({ head: merged }), moved);
    assert.equal(await from({ base: own, head: merged }), own, 'the base is not in the target');
    assert.equal(await from({ head: moved }), base, 'the target has it all');
    assert.equal(await from({ head: merged, target: 'gone' }), base);
  });

  it('lists changed files with their renames, whatever the user set for diffs', async () => {
    repo.git(['config', 'diff.renames', 'false']);
    repo.git(['config', 'diff.external', 'false']);
    const head = change();
    const files = await changedFiles({ root: repo.root, base, head });
    assert.deepEqual(
      files.sort((a, b) => (a.path < b.path ? -1 : 1)),
      [
        { path: 'gone.txt', status: 'deleted' },
        { path: 'image.bin', status: 'added' },
        { path: 'src/a.txt', status: 'modified' },
        { path: 'src/link', status: 'added' },
        { path: 'ü "q"\nx.txt', status: 'renamed', from: 'long.txt' },
      ],
    );
  });

  it('lists commits, newest first, by subject', async () => {
    const head = change();
    const commits = await laneCommits({ path: repo.root, base, head });
    assert.deepEqual(
      commits.map((commit) => commit.subject),
      ['Zwei ü', 'One'],
    );
    assert.equal(commits[0]?.sha, head);
  });

  it('reads the bytes of a file at a commit', async () => {
    const head = change();
    assert.deepEqual(await readBlob(repo.root, head, 'image.bin'), Buffer.from([0, 1, 2, 0]));
    assert.equal(
      (await readBlob(repo.root, head, 'ü "q"\nx.txt')).toString(),
      'one\ntwo\nthree\nfour\nfive\n',
    );
    assert.equal((await readBlob(repo.root, base, 'gone.txt')).toString(), 'gone\n');
    await rejectsWith(readBlob(repo.root, head, 'gone.txt'), 'not_found', 'gone.txt');
    await rejectsWith(readBlob(repo.root, head, 'src'), 'not_found', 'src');
    await rejectsWith(readBlob(repo.root, head, '*.bin'), 'not_found', '*.bin');
    await rejectsWith(readBlob(repo.root, 'f'.repeat(40), 'src'), 'not_found', 'ffff');
  });

  it('reads recorded output', () => {
    assert.deepEqual(parseNumstat(['1\t2\ta\tb', '-\t-\tx.bin']), [
      { path: 'a\tb', insertions: 1, deletions: 2 },
      { path: 'x.bin', insertions: 0, deletions: 0 },
    ]);
    assert.deepEqual(parseNameStatus(['T', 'link', 'R087', 'old', 'new', 'A', 'x']), [
      { path: 'link', status: 'modified' },
      { path: 'new', status: 'renamed', from: 'old' },
      { path: 'x', status: 'added' },
    ]);
  });
});
