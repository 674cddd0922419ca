import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brokenObjects } from '../../../src/engine/removal/brokenObjects.ts';
import { removeLane } from '../../../src/engine/removal/removeLane.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { removalRepository, type LaneToRemove, type RemovalRepository } from './removalRepository.ts';

describe('removeLane', () => {
  let repo: RemovalRepository;
  before(() => (repo = removalRepository()));
  after(() => repo.remove());

  async function removed(lane: LaneToRemove): Promise<void> {
    const { branch, left } = await removeLane(lane);
    assert.deepEqual(
      { branch, left, traces: repo.traces(lane) },
      { branch: 'deleted', left: [], traces: [] },
    );
  }

  it('tells what it freed, and that a second removal finds nothing', async () => {
    const lane = await repo.made('twice');
    repo.write({ '.git/info/exclude': '*.log\n' });
    writeFileSync(join(lane.path, 'big.log'), Buffer.alloc(100_000));
    const first = await removeLane(lane);
    assert.ok(first.freedBytes! > 100_000 && first.freedBytes! < 200_000, String(first.freedBytes));
    assert.deepEqual(await removeLane(lane), { branch: 'gone', left: [] });
  });

  it('calls a lane removed whose folder, entry or branch somebody has taken away already', async () => {
    const folder = await repo.made('no-folder');
    rmSync(folder.path, { recursive: true });
    await removed(folder);
    const entry = await repo.made('no-entry');
    repo.git(['worktree', 'remove', '--force', '--force', entry.path]);
    await removed(entry);
    const branch = await repo.made('no-branch');
    repo.git(['checkout', '--quiet', '--detach'], branch.path);
    repo.git(['update-ref', '-d', `refs/heads/${branch.branch}`]);
    assert.deepEqual((await removeLane(branch)).branch, 'gone');
    assert.deepEqual(repo.traces(branch), []);
  });

  it('clears away the entry of a deleted folder and keeps a branch with work, but no work of the entry alone', async () => {
    const lane = await repo.made('half-gone');
    repo.commit({ 'work.txt': 'work' }, 'Work', lane.path);
    rmSync(lane.path, { recursive: true });
    const { branch, why, left } = await removeLane(lane);
    assert.deepEqual([branch, left], ['kept', []]);
    assert.match(why!, /not merged into main/);
    const loose = await repo.made('half-loose');
    repo.git(['checkout', '--quiet', '--detach'], loose.path);
    repo.commit({ 'loose.txt': 'loose' }, 'Loose', loose.path);
    rmSync(loose.path, { recursive: true });
    await rejectsWith(removeLane(loose), 'refused', 'neither merged nor pushed');
    const head = repo.git(['rev-parse', 'worktrees/half-loose/HEAD']);
    repo.git(['branch', 'saved', head]);
    await removed(loose);
  });

  it('leaves what links lead to: a linked node_modules of the main checkout stays populated', async () => {
    repo.write({ 'node_modules/pkg/index.js': 'module', '.git/info/exclude': 'node_modules\nlinks\n' });
    mkdirSync(join(repo.folder, 'outside/empty'), { recursive: true });
    writeFileSync(join(repo.folder, 'outside/file.txt'), 'outside');
    const lane = await repo.made('links');
    symlinkSync(join(repo.root, 'node_modules'), join(lane.path, 'node_modules'));
    mkdirSync(join(lane.path, 'links'));
    symlinkSync('../../../outside', join(lane.path, 'links/relative'));
    symlinkSync(join(repo.folder, 'outside/empty'), join(lane.path, 'links/empty'));
    symlinkSync('../src', join(lane.path, 'links/inside'));
    symlinkSync('/nowhere/at/all', join(lane.path, 'links/broken'));
    await removed(lane);
    assert.equal(readFileSync(join(repo.root, 'node_modules/pkg/index.js'), 'utf8'), 'module');
    assert.deepEqual(readdirSync(join(repo.folder, 'outside')).sort(), ['empty', 'file.txt']);
  });

  it('deletes read-only folders and files, and names that are not UTF-8', async () => {
    repo.write({ '.git/info/exclude': 'cache\n' });
    const lane = await repo.made('read-only');
    const cache = join(lane.path, 'cache/deep');
    mkdirSync(cache, { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${cache}/caf`), Buffer.from([0xe9])]), 'latin1');
    chmodSync(cache, 0o500);
    chmodSync(dirname(cache), 0o500);
    await removed(lane);
  });

  it('takes paths with anything in them', async () => {
    const names = ['two words', 'line\nbreak', '-dash', `it's "quoted" $(x)`, 'ünï ✓', 'back\\slash'];
    for (const [n, name] of names.entries()) {
      const lane = await repo.made(`odd-${n}`, { path: join(repo.lanes, name) });
      repo.commit({ [`${name}.txt`]: 'odd' }, 'Odd', lane.path);
      await removed({ ...lane, rescued: repo.rescue(lane) });
    }
  });

  it('deletes nothing but the branch itself when that was made another name of main', async () => {
    const lane = await repo.made('alias');
    repo.git(['checkout', '--quiet', '--detach'], lane.path);
    repo.git(['symbolic-ref', `refs/heads/${lane.branch}`, 'refs/heads/main']);
    await removed(lane);
    assert.equal(repo.git(['rev-parse', 'refs/heads/main']), lane.base);
  });

  it('keeps a branch that another checkout stands on, or is rebasing', async () => {
    const lane = await repo.made('shared');
    const other = join(repo.folder, 'second');
    repo.git(['worktree', 'add', '--quiet', '--force', other, lane.branch]);
    const { branch, why, left } = await removeLane(lane);
    assert.deepEqual([branch, left], ['kept', []]);
    assert.match(why!, /lane\/shared was kept: it is checked out in .*second/);
    assert.equal(repo.git(['rev-parse', lane.branch]), lane.base);
    repo.git(['worktree', 'remove', other]);
    await removed(lane);
  });

  it('keeps one of two branches that hold the same commits when both are removed at once', async () => {
    const one = await repo.made('one');
    const two = await repo.made('two');
    repo.commit({ 'same.txt': 'same' }, 'Same', one.path);
    repo.git(['reset', '--quiet', '--hard', one.branch], two.path);
    const tip = repo.git(['rev-parse', one.branch]);
    const [first, second] = await Promise.all(
      [removeLane(one), removeLane(two)].map((end) => end.catch(String)),
    );
    const ends = [first, second].map((result) => (typeof result === 'string' ? 'refused' : result!.branch));
    assert.ok(!ends.includes('deleted'), ends.join());
    assert.ok(repo.git(['for-each-ref', '--contains', tip]).includes('lane/'));
  });

  it('refuses where the folder cannot be moved away, and leaves it as it is', async () => {
    const lane = await repo.made('stuck');
    // A file in the place of the folder that keeps the records: as on a full or read-only disk, nothing begins.
    const records = join(repo.commonDir, 'agentkit', 'trash');
    const aside = `${records}.aside`;
    renameSync(records, aside);
    writeFileSync(records, '');
    await assert.rejects(removeLane(lane));
    assert.ok(existsSync(join(lane.path, 'README.md')));
    rmSync(records);
    renameSync(aside, records);
    await removed(lane);
  });

  it('names settings of the branch that somebody left in the shared file, which it does not touch', async () => {
    const lane = await repo.made('settings');
    repo.git(['config', `branch.${lane.branch}.remote`, 'origin']);
    const { branch, left } = await removeLane(lane);
    assert.equal(branch, 'deleted');
    assert.match(
      left.join(),
      /settings of lane\/settings in .*config; .*--remove-section "branch.lane\/settings"/,
    );
    assert.equal(repo.git(['config', `branch.${lane.branch}.remote`]), 'origin');
  });

  it('leaves a repository in which nothing is missing', async () => {
    assert.deepEqual(await brokenObjects(repo.root, 60_000), []);
    const blob = repo.git(['rev-parse', 'HEAD:README.md']);
    const file = join(repo.commonDir, 'objects', blob.slice(0, 2), blob.slice(2));
    const kept = readFileSync(file);
    rmSync(file);
    try {
      assert.match((await brokenObjects(repo.root, 60_000)).join('\n'), new RegExp(`missing blob ${blob}`));
    } finally {
      writeFileSync(file, kept);
    }
  });
});
