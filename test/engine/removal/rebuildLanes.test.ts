import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMergeWorktree } from '../../../src/engine/git/mergeWorktree.ts';
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
  const prune = (open: string[] = []) =>
    pruneGoneLanes({ root: repo.root, commonDir: repo.commonDir, open: new Set(open) });

  it('drops the entries of our deleted folders, and of nobody else', async () => {
    const gone = await repo.made('gone');
    const open = await repo.made('open');
    await repo.made('here');
    const foreign = join(repo.lanes, 'foreign');
    repo.git(['worktree', 'add', '--quiet', '--lock', '--reason', 'on a stick', foreign, '-b', 'foreign']);
    for (const path of [gone.path, open.path, foreign]) rmSync(path, { recursive: true });
    assert.deepEqual(await prune([open.nonce]), { pruned: [gone.path], kept: [] });
    assert.deepEqual(entries(), ['foreign', 'here', 'open']);
    assert.equal(repo.git(['rev-parse', gone.branch]), gone.base);
    assert.deepEqual(await prune([open.nonce]), { pruned: [], kept: [] });
  });

  it('keeps an entry that alone has commits, and drops it when another ref has them', async () => {
    const lane = await repo.made('loose');
    repo.git(['checkout', '--quiet', '--detach'], lane.path);
    repo.commit({ 'loose.txt': 'loose' }, 'Loose', lane.path);
    rmSync(lane.path, { recursive: true });
    const { pruned, kept } = await prune();
    assert.deepEqual([pruned, kept.map(({ path }) => path)], [[], [lane.path]]);
    assert.match(kept[0]!.why, /1 commits stand only there; rescue the lane first/);
    repo.git(['branch', 'saved', repo.git(['rev-parse', 'worktrees/loose/HEAD'])]);
    assert.deepEqual(await prune(), { pruned: [lane.path], kept: [] });
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
    assert.deepEqual(await prune(), { pruned: [lane.path], kept: [] });
  });

  it('keeps an entry that somebody else has locked, until it is unlocked', async () => {
    const lane = await repo.made('locked');
    writeFileSync(join(repo.commonDir, 'worktrees', 'locked', 'locked'), 'mine\n');
    rmSync(lane.path, { recursive: true });
    const { kept } = await prune();
    assert.match(kept[0]!.why, /with the reason "mine"; unlock it/);
    repo.git(['worktree', 'unlock', lane.path]);
    assert.deepEqual(await prune(), { pruned: [lane.path], kept: [] });
    assert.equal(existsSync(join(repo.commonDir, 'worktrees', 'locked')), false);
  });
});
