import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { readMarker } from '../../../src/engine/git/marker.ts';
import {
  mergeTreeFolder,
  prepareMergeTree,
  type MergeTreeRequest,
} from '../../../src/engine/git/prepareMergeTree.ts';
import { tipOf } from '../../../src/engine/git/resolveBase.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('prepareMergeTree', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(async () => {
    repo = tempRepository();
    repo.commit({ '.gitignore': 'node_modules/\n' });
    lane = repo.lane('api');
    await createLane(lane);
  });
  afterEach(() => repo.remove());

  function request(head: string, more: Partial<MergeTreeRequest> = {}): MergeTreeRequest {
    const from = repo.git(['rev-parse', 'main']);
    const { root, commonDir, lanes: laneRoot } = repo;
    return {
      root,
      commonDir,
      laneRoot,
      target: 'main',
      from,
      head,
      message: 'Merge lane api\n\nAgentKit-Lane: api\n',
      run: 'run1',
      nonce: 'n1',
      ...more,
    };
  }

  const work = (files: Record<string, string>) => repo.commit(files, 'Work', lane.path);

  it('makes the merge commit and its files, detached, marked and clean, and moves no branch', async () => {
    const from = repo.commit({ 'main.txt': 'main\n' });
    const head = work({ 'lane.txt': 'lane\n' });
    const refs = repo.git(['for-each-ref']);
    const made = await prepareMergeTree(request(head));
    assert.equal(made.path, join(repo.lanes, '.merge-main'));
    assert.equal(
      repo.git(['log', '-1', '--format=%P|%T|%an|%B', made.commit]),
      `${from} ${head}|${made.tree}|Ada Ümlaut|Merge lane api\n\nAgentKit-Lane: api\n`,
    );
    const facts = await laneFacts({ path: made.path, branch: null });
    assert.deepEqual([facts.head, facts.clean, facts.operation], [made.commit, true, null]);
    assert.equal(
      readFileSync(join(made.path, 'main.txt'), 'utf8') + readFileSync(join(made.path, 'lane.txt'), 'utf8'),
      'main\nlane\n',
    );
    assert.equal((await readMarker(made.path))?.nonce, 'n1');
    assert.equal(repo.git(['for-each-ref']), refs);
    assert.equal(mergeTreeFolder('/lanes', 'release/2026/x'), '/lanes/.merge-release-2026-x');
  });

  it('cleans up after earlier checks, in its own worktree only, and keeps what git ignores', async () => {
    const { path } = await prepareMergeTree(request(work({ 'one.txt': '1\n' })));
    repo.write(
      {
        'README.md': 'changed by a check\n',
        'coverage/x': 'x',
        'node_modules/dep.js': 'dep',
        'two.txt': 'in the way',
      },
      path,
    );
    repo.git(['update-index', '--assume-unchanged', 'src/a.txt'], path);
    repo.write({ 'src/a.txt': 'hidden\n' }, path);
    const outside = join(repo.folder, 'outside');
    repo.write({ 'keep.txt': 'keep' }, outside);
    symlinkSync(outside, join(path, 'link'));
    repo.write({ 'notes.txt': 'mine\n' });
    repo.write({ 'notes.txt': 'mine\n' }, lane.path);
    repo.git(['add', 'notes.txt'], lane.path);
    repo.git(['commit', '--quiet', '-m', 'notes'], lane.path);
    const again = await prepareMergeTree(request(work({ 'two.txt': '2\n' }), { nonce: 'n2', run: 'run2' }));
    assert.equal((await laneFacts({ path, branch: null })).clean, true);
    assert.equal(again.path, path);
    assert.equal(readFileSync(join(path, 'two.txt'), 'utf8'), '2\n');
    assert.equal(readFileSync(join(path, 'src/a.txt'), 'utf8'), 'a\n');
    assert.deepEqual([existsSync(join(path, 'coverage')), existsSync(join(path, 'link'))], [false, false]);
    assert.equal(existsSync(join(path, 'node_modules/dep.js')), true);
    assert.equal(existsSync(join(outside, 'keep.txt')), true);
    assert.equal(existsSync(join(repo.root, 'notes.txt')), true);
  });

  it('does not move a branch that a check has switched to', async () => {
    const { path } = await prepareMergeTree(request(work({ 'one.txt': '1\n' })));
    repo.git(['switch', '--quiet', '-c', 'by-a-check'], path);
    const tip = await tipOf(repo.root, 'by-a-check');
    const again = await prepareMergeTree(request(work({ 'two.txt': '2\n' })));
    assert.equal(await tipOf(repo.root, 'by-a-check'), tip);
    assert.equal((await laneFacts({ path, branch: null })).head, again.commit);
  });

  it('makes the worktree again when its folder was deleted', async () => {
    const first = await prepareMergeTree(request(work({ 'one.txt': '1\n' })));
    rmSync(first.path, { recursive: true });
    const again = await prepareMergeTree(request(work({ 'two.txt': '2\n' })));
    assert.equal(existsSync(join(again.path, 'two.txt')), true);
  });

  it('touches no folder that is not its own', async () => {
    const path = join(repo.lanes, '.merge-main');
    const head = work({ 'one.txt': '1\n' });
    repo.write({ 'mine.txt': 'mine\n' }, path);
    await rejectsWith(prepareMergeTree(request(head)), 'conflict', path);
    assert.equal(existsSync(join(path, 'mine.txt')), true);
    rmSync(path, { recursive: true });
    repo.git(['worktree', 'add', '--quiet', '--detach', path]);
    repo.write({ 'mine.txt': 'mine\n' }, path);
    await rejectsWith(prepareMergeTree(request(head)), 'conflict', path, 'did not make');
    assert.equal(existsSync(join(path, 'mine.txt')), true);
    repo.git(['worktree', 'remove', '--force', path]);
    assert.equal((await prepareMergeTree(request(head))).path, path);
  });

  it('takes neither a lane nor the worktree of another target for its own', async () => {
    const head = work({ 'one.txt': '1\n' });
    repo.git(['branch', 'a/b']);
    repo.git(['branch', 'a-b']);
    const first = await prepareMergeTree(request(head, { target: 'a/b' }));
    await rejectsWith(
      prepareMergeTree(request(head, { target: 'a-b' })),
      'conflict',
      first.path,
      '.merge-a/b',
    );
    await createLane(repo.lane('.merge-x', { branch: 'lane/x', path: join(repo.lanes, '.merge-x') }));
    repo.git(['branch', 'x']);
    await rejectsWith(prepareMergeTree(request(head, { target: 'x' })), 'conflict', '.merge-x');
  });

  it('names the files in conflict', async () => {
    repo.commit({ 'src/a.txt': 'main\n' });
    const head = work({ 'src/a.txt': 'lane\n' });
    await rejectsWith(prepareMergeTree(request(head)), 'conflict', 'src/a.txt');
    assert.equal(existsSync(join(repo.lanes, '.merge-main')), false);
  });

  it('does not go through a link in place of its folder', async () => {
    const head = work({ 'one.txt': '1\n' });
    const elsewhere = join(repo.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(repo.lanes, '.merge-main'));
    await rejectsWith(prepareMergeTree(request(head)), 'refused', '.merge-main', 'link');
  });
});
