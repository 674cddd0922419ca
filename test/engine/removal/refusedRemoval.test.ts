import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeLane } from '../../../src/engine/removal/removeLane.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import {
  end,
  removalRepository,
  workerIn,
  type LaneToRemove,
  type RemovalRepository,
} from './removalRepository.ts';

describe('What a removal refuses, and its allowed twin', () => {
  let repo: RemovalRepository;
  before(() => (repo = removalRepository()));
  after(() => repo.remove());

  async function refused(lane: LaneToRemove, ...parts: (string | RegExp)[]): Promise<void> {
    const before = repo.traces(lane);
    await rejectsWith(removeLane(lane), 'refused', `Lane ${lane.lane} is not removed`, ...parts);
    assert.deepEqual(repo.traces(lane), before, 'a refusal changes nothing');
  }

  async function removed(lane: LaneToRemove): Promise<void> {
    const { branch, left } = await removeLane(lane);
    assert.deepEqual(
      { branch, left, traces: repo.traces(lane) },
      { branch: 'deleted', left: [], traces: [] },
    );
  }

  it('the main checkout, whatever name it is given', async () => {
    const lane = await repo.made('main-checkout');
    await refused({ ...lane, path: repo.root }, 'main checkout', repo.root);
    await refused({ ...lane, path: repo.folder }, 'main checkout');
    await refused({ ...lane, path: repo.commonDir }, "git's own folder");
    assert.equal(readFileSync(join(repo.root, 'README.md'), 'utf8'), '# Demo\n');
    await removed(lane);
  });

  it('a folder in git’s own folder that is no lane of ours', async () => {
    const path = join(repo.commonDir, 'elsewhere');
    const lane = await repo.made('in-git', { path });
    await refused(lane, "lies in git's own folder");
    repo.git(['worktree', 'unlock', path]);
    const below = join(repo.commonDir, 'agentkit', 'lanes', 'in-git');
    mkdirSync(join(below, '..'), { recursive: true });
    repo.git(['worktree', 'move', path, below]);
    await removed({ ...lane, path: below });
  });

  it('the checkout that the caller works in, and the folder of this process', async () => {
    const lane = await repo.made('own');
    await refused({ ...lane, checkout: lane.path }, 'you work in', lane.path);
    await refused({ ...lane, checkout: join(lane.path, 'src') }, 'you work in');
    const cwd = process.cwd();
    process.chdir(join(lane.path, 'src'));
    try {
      await refused(lane, 'this process works in');
    } finally {
      process.chdir(cwd);
    }
    await removed(lane);
  });

  it('a worktree that AgentKit did not make, and a folder that git does not list', async () => {
    const path = join(repo.lanes, 'by-hand');
    repo.git(['worktree', 'add', '--quiet', path, '-b', 'lane/by-hand']);
    const lane = await repo.made('ours');
    await refused({ ...lane, path, branch: 'lane/by-hand' }, path, 'did not make');
    const plain = join(repo.lanes, 'plain');
    repo.write({ 'x.txt': 'x' }, plain);
    await refused({ ...lane, path: plain, nonce: 'unknown' }, plain, 'does not list');
    await refused({ ...lane, path: 'lanes/ours' }, 'absolute');
    await removed(lane);
    assert.ok(existsSync(join(path, 'README.md')) && existsSync(join(plain, 'x.txt')));
  });

  it('a lane with another mark than the one that is told', async () => {
    const lane = await repo.made('marked');
    await refused({ ...lane, nonce: 'of-another-time' }, 'another lane', lane.lane);
    await refused({ ...lane, run: 'run2' }, 'another lane');
    await refused({ ...lane, branch: 'main' }, 'made for the branch lane/marked');
    await removed(lane);
  });

  it('a path that leads through a link', async () => {
    const lane = await repo.made('linked');
    const link = join(repo.folder, 'link');
    symlinkSync(repo.lanes, link);
    await refused({ ...lane, path: join(link, 'linked') }, link, 'is a link');
    const direct = join(repo.folder, 'direct');
    symlinkSync(lane.path, direct);
    await refused({ ...lane, path: direct }, direct, 'is a link');
    rmSync(link);
    rmSync(direct);
    await removed(lane);
  });

  it('a lane whose folder was replaced by a link to the main checkout', async () => {
    const lane = await repo.made('swapped');
    const aside = join(repo.folder, 'aside');
    renameSync(lane.path, aside);
    symlinkSync(repo.root, lane.path);
    await refused(lane, 'is a link', 'main checkout');
    assert.equal(existsSync(join(repo.root, 'README.md')), true);
    rmSync(lane.path);
    renameSync(aside, lane.path);
    await removed(lane);
  });

  it('a lane whose folder was replaced by another repository, a copy or a file', async () => {
    const lane = await repo.made('replaced');
    const other = await repo.made('other');
    const aside = join(repo.folder, 'aside');
    renameSync(lane.path, aside);
    mkdirSync(lane.path);
    repo.git(['init', '--quiet'], lane.path);
    await refused(lane, '.git file does not lead to');
    rmSync(lane.path, { recursive: true });
    renameSync(other.path, lane.path);
    await refused(lane, '.git file does not lead to');
    renameSync(lane.path, other.path);
    rmSync(lane.path, { recursive: true, force: true });
    renameSync(aside, lane.path);
    const admin = join(repo.commonDir, 'worktrees', 'replaced');
    const foreign = `${admin}-copy`;
    cpSync(admin, foreign, { recursive: true });
    for (const file of ['agentkit.json', 'locked']) rmSync(join(foreign, file));
    writeFileSync(join(lane.path, '.git'), `gitdir: ${foreign}\n`);
    await refused(lane, /does not lead to|did not make/);
    rmSync(foreign, { recursive: true });
    writeFileSync(join(lane.path, '.git'), `gitdir: ${admin}\n`);
    renameSync(lane.path, aside);
    writeFileSync(lane.path, 'a file');
    await refused(lane, '.git file does not lead to');
    rmSync(lane.path);
    renameSync(aside, lane.path);
    await removed(lane);
    await removed(other);
  });

  it('a lane that was moved, which has its files at another place', async () => {
    const lane = await repo.made('moved');
    const away = join(repo.folder, 'away');
    repo.git(['worktree', 'move', '--force', '--force', lane.path, away]);
    await refused(lane, 'was moved to', away);
    assert.ok(existsSync(join(away, 'README.md')));
    repo.git(['worktree', 'move', '--force', '--force', away, lane.path]);
    await removed(lane);
  });

  it('a lane in which a process works, with its id and command', async () => {
    const lane = await repo.made('busy');
    const stranger = await workerIn(join(lane.path, 'src'));
    try {
      await refused(lane, `Process ${stranger.pid}`, 'setInterval', lane.path, 'end it');
    } finally {
      await end(stranger);
    }
    const own = await workerIn(lane.path, { AGENTKIT_ATTEMPT: 'run1/busy/1' });
    try {
      await refused(lane, `Process ${own.pid}`, 'ak lane orphans --stop');
    } finally {
      await end(own);
    }
    const reader = await workerIn(repo.root, { AGENTKIT_RUN: 'run1', AGENTKIT_LANE: 'busy' });
    try {
      await removed(lane);
    } finally {
      await end(reader);
    }
  });

  it('a lane that holds another checkout', async () => {
    const lane = await repo.made('outer');
    const inner = await repo.made('inner', { path: join(repo.folder, 'inner') });
    const inside = join(lane.path, 'node_modules', 'inner');
    mkdirSync(join(inside, '..'));
    repo.git(['worktree', 'move', '--force', '--force', inner.path, inside]);
    await refused({ ...lane, rescued: repo.rescue(lane) }, inside, 'move it out');
    await removed({ ...inner, path: inside });
    await removed({ ...lane, rescued: repo.rescue(lane) });
  });

  it('a lane that somebody else has locked, with the reason', async () => {
    const lane = await repo.made('locked');
    repo.git(['worktree', 'unlock', lane.path]);
    repo.git(['worktree', 'lock', '--reason', 'on a stick', lane.path]);
    await refused(lane, 'locked by somebody else', '"on a stick"', 'git worktree unlock');
    repo.git(['worktree', 'unlock', lane.path]);
    repo.git(['worktree', 'lock', lane.path]);
    await refused(lane, 'without a reason');
    repo.git(['worktree', 'unlock', lane.path]);
    await removed(lane);
  });
});
