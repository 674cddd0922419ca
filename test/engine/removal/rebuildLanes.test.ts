import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMergeWorktree } from '../../../src/engine/git/mergeWorktree.ts';
import type { OwnFolder } from '../../../src/engine/removal/laneIdentity.ts';
import { findUnknownLanes, pruneGoneLanes } from '../../../src/engine/removal/rebuildLanes.ts';
import { removalRepository, type RemovalRepository } from './removalRepository.ts';

describe('findUnknownLanes', () => {
  let repo: RemovalRepository;
  before(() => (repo = removalRepository()));
  after(() => repo.remove());

  it('finds the lanes that no journal knows, and none that somebody else has made', async () => {
    const { root, commonDir } = repo;
    const known = await repo.made('known');
    const lost = await repo.made('lost');
    const gone = await repo.made('gone');
    const replaced = await repo.made('replaced');
    rmSync(gone.path, { recursive: true });
    rmSync(join(replaced.path, '.git'));
    repo.git(['worktree', 'add', '--quiet', join(repo.lanes, 'by-hand'), '-b', 'by-hand']);
    const half = join(repo.lanes, 'half');
    const reason = ['--lock', '--reason', 'agentkit run1/half nonce-of-half'];
    repo.git(['worktree', 'add', '--quiet', ...reason, half, '-b', 'lane/half']);
    await openMergeWorktree({
      root,
      commonDir,
      path: join(repo.lanes, '.merge-main'),
      target: 'main',
      from: known.base,
      run: 'run1',
      nonce: 'merge',
    });
    const { path, branch, run, lane, nonce } = lost;
    const found = { path, branch, run, lane, nonce, prepared: true };
    assert.deepEqual(await findUnknownLanes({ root, commonDir, known: new Set([known.nonce]) }), [found]);
    const nonces = new Set([known.nonce, lost.nonce]);
    assert.deepEqual(await findUnknownLanes({ root, commonDir, known: nonces }), []);
  });
});

describe('pruneGoneLanes', () => {
  let repo: RemovalRepository;
  beforeEach(() => (repo = removalRepository()));
  afterEach(() => repo.remove());

  const entries = () => readdirSync(join(repo.commonDir, 'worktrees')).sort();
  const prune = async (open: string[] = [], dryRun = false) => {
    const asked: string[] = [];
    const { root, commonDir } = repo;
    const rescue = async ({ lane, admin }: OwnFolder) => {
      if (existsSync(join(admin, 'fails'))) throw new Error('no room for a rescue');
      asked.push(lane);
      return Promise.resolve(`rescue of ${lane}`);
    };
    const result = await pruneGoneLanes({ root, commonDir, open: new Set(open), dryRun, rescue });
    const rescued = result.rescued.map((each) => [each.lane.lane, each.rescue]);
    assert.deepEqual(asked, dryRun ? [] : rescued.map(([lane]) => lane));
    return { ...result, rescued };
  };
  const stage = (name: string, path: string) => {
    writeFileSync(join(path, name), `${name}\n`);
    repo.git(['add', name], path);
  };

  it('drops the entries of our deleted folders, and of nobody else', async () => {
    const gone = await repo.made('gone');
    const open = await repo.made('open');
    await repo.made('here');
    const foreign = join(repo.lanes, 'foreign');
    repo.git(['worktree', 'add', '--quiet', '--lock', '--reason', 'on a stick', foreign, '-b', 'foreign']);
    for (const path of [gone.path, open.path, foreign]) rmSync(path, { recursive: true });
    assert.deepEqual(await prune([open.nonce]), { pruned: [gone.path], rescued: [], kept: [] });
    assert.deepEqual(entries(), ['foreign', 'here', 'open']);
    assert.equal(repo.git(['rev-parse', gone.branch]), gone.base);
    assert.deepEqual(await prune([open.nonce]), { pruned: [], rescued: [], kept: [] });
  });

  it('has what an entry alone holds rescued before it is dropped, and says so without doing it', async () => {
    const names = ['loose', 'merging', 'plain', 'staged'];
    for (const name of names) {
      const { path } = await repo.made(name);
      if (name === 'loose') {
        repo.git(['checkout', '--quiet', '--detach'], path);
        repo.commit({ 'loose.txt': 'loose' }, 'Loose', path);
      }
      if (name === 'staged') stage('staged.txt', path);
      if (name === 'merging') writeFileSync(join(repo.commonDir, 'worktrees', name, 'MERGE_HEAD'), '');
      rmSync(path, { recursive: true });
    }
    const dry = await prune([], true);
    const rescues = (from: (name: string) => string | null) =>
      ['loose', 'merging', 'staged'].map((name) => [name, from(name)]);
    assert.deepEqual(
      dry.rescued.sort(),
      rescues(() => null),
    );
    assert.deepEqual(dry.pruned, [join(repo.lanes, 'plain')]);
    assert.deepEqual(entries(), names);
    const { pruned, rescued, kept } = await prune();
    assert.deepEqual([pruned, kept], [dry.pruned, []]);
    assert.deepEqual(
      rescued.sort(),
      rescues((name) => `rescue of ${name}`),
    );
    assert.ok(!existsSync(join(repo.commonDir, 'worktrees')));
  });

  it('keeps an entry that cannot be rescued, with the reason, and drops it once it can', async () => {
    const lane = await repo.made('full');
    stage('staged.txt', lane.path);
    const fails = join(repo.commonDir, 'worktrees', 'full', 'fails');
    writeFileSync(fails, '');
    rmSync(lane.path, { recursive: true });
    const kept = [{ path: lane.path, why: 'no room for a rescue' }];
    assert.deepEqual(await prune(), { pruned: [], rescued: [], kept });
    assert.deepEqual(entries(), ['full']);
    rmSync(fails);
    assert.deepEqual((await prune()).rescued, [['full', 'rescue of full']]);
  });

  it('keeps the entries when the folder of all lanes is missing, as on a drive that is not connected', async () => {
    const lane = await repo.made('away');
    const elsewhere = join(repo.folder, 'elsewhere');
    renameSync(repo.lanes, elsewhere);
    const { pruned, kept } = await prune();
    assert.deepEqual([pruned, kept.length], [[], 1]);
    assert.match(kept[0]!.why, /is missing as a whole; if it is on a drive/);
    renameSync(elsewhere, repo.lanes);
    rmSync(lane.path, { recursive: true });
    assert.deepEqual(await prune(), { pruned: [lane.path], rescued: [], kept: [] });
  });

  it('keeps an entry that somebody else has locked, until it is unlocked', async () => {
    const lane = await repo.made('locked');
    writeFileSync(join(repo.commonDir, 'worktrees', 'locked', 'locked'), 'mine\n');
    rmSync(lane.path, { recursive: true });
    const { kept } = await prune();
    assert.match(kept[0]!.why, /with the reason "mine"; unlock it/);
    repo.git(['worktree', 'unlock', lane.path]);
    assert.deepEqual(await prune(), { pruned: [lane.path], rescued: [], kept: [] });
    assert.equal(existsSync(join(repo.commonDir, 'worktrees', 'locked')), false);
  });
});
