import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';
import { readMarker, writeMarker } from '../../../src/engine/git/marker.ts';
import type { Rescue } from '../../../src/engine/rescue/rescueLane.ts';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { runGit } from '../git/tempRepository.ts';
import { adminSnapshot, snapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

describe('restoreRescue', () => {
  let repo: RescueFixture;
  let lane: LaneRequest;
  let rescue: Rescue;
  let then: Record<string, string>;
  before(async () => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'cache/\n' });
    lane = await repo.make('api');
    const at = (name: string) => join(lane.path, name);
    writeFileSync(at('src/a.txt'), 'committed\n');
    runGit(lane.path, ['commit', '-qam', 'Work']);
    mkdirSync(at('cache'));
    writeFileSync(at('cache/notes'), 'notes');
    mkdirSync(at('closed/empty'), { recursive: true });
    writeFileSync(at('closed/large'), 'x'.repeat(100_000));
    symlinkSync('closed/large', at('link'));
    writeFileSync(at('staged'), 'staged\n');
    runGit(lane.path, ['add', 'staged']);
    chmodSync(at('closed'), 0o555);
    then = worktreeSnapshot(lane.path);
    rescue = await repo.rescue(lane);
    repo.discard(lane);
  });
  after(() => repo.remove());
  const restored: LaneRequest[] = [];
  afterEach(() => restored.splice(0).forEach((made) => repo.discard(made)));

  const restore = async (to: LaneRequest, more: object = {}) => {
    restored.push(to);
    return restoreRescue(repo.restoreRequest(rescue, to, more));
  };
  /** Everything in the repository and beside it, but for objects and our own lock. */
  const everything = () => snapshot(repo.folder, (path) => /\/\.git\/(objects|agentkit)$/.test(path));

  it('makes the lane ours, finished and locked, and does it once', async () => {
    await restore(lane);
    const marker = await readMarker(lane.path);
    assert.deepEqual(
      { ...marker },
      {
        version: 1,
        run: 'run2',
        lane: 'api',
        nonce: 'again-api',
        branch: 'lane/api',
        base: lane.base,
        prepared: true,
        sparse: null,
      },
    );
    assert.equal(
      readFileSync(join(repo.admin(lane.path), 'locked'), 'utf8').trim(),
      'agentkit run2/api again-api',
    );
    assert.equal(repo.git(['rev-parse', 'lane/api']), rescue.tip);
    assert.deepEqual(worktreeSnapshot(lane.path), then);
    writeFileSync(join(lane.path, 'README.md'), 'work after that\n');
    const again = await restoreRescue(repo.restoreRequest(rescue, lane));
    assert.deepEqual(again.warnings, []);
    assert.equal(readFileSync(join(lane.path, 'README.md'), 'utf8'), 'work after that\n');
  });

  it('uses the branch that the discarded lane has left, and no other of that name', async () => {
    repo.git([
      'update-ref',
      '--create-reflog',
      '-m',
      'agentkit run1/api old',
      'refs/heads/lane/api',
      rescue.tip ?? '',
    ]);
    await restore(lane);
    assert.deepEqual(worktreeSnapshot(lane.path), then);
  });

  const taken: Record<string, { take: () => void; free: () => void; said: string }> = {
    "somebody's branch": {
      take: () => repo.git(['branch', 'lane/api', rescue.tip ?? '']),
      free: () => repo.git(['branch', '-D', 'lane/api']),
      said: 'lane/api',
    },
    'a branch of ours that has gone on': {
      take: () =>
        repo.git([
          'update-ref',
          '--create-reflog',
          '-m',
          'agentkit run1/api old',
          'refs/heads/lane/api',
          'HEAD',
        ]),
      free: () => repo.git(['branch', '-D', 'lane/api']),
      said: 'lane/api',
    },
    'a branch that has the name as a folder': {
      take: () => repo.git(['branch', 'lane/api/more']),
      free: () => repo.git(['branch', '-D', 'lane/api/more']),
      said: 'lane/api/more',
    },
    'a folder': {
      take: () => mkdirSync(lane.path),
      free: () => rmSync(lane.path, { recursive: true }),
      said: 'exists',
    },
    "somebody's worktree": {
      take: () => repo.git(['worktree', 'add', '-q', '--detach', lane.path]),
      free: () => repo.git(['worktree', 'remove', '--force', lane.path]),
      said: 'AgentKit did not make',
    },
  };
  for (const [what, { take, free, said }] of Object.entries(taken)) {
    it(`is refused where ${what} is in the way, and changes nothing`, async () => {
      take();
      const before = everything();
      try {
        await rejectsWith(restoreRescue(repo.restoreRequest(rescue, lane)), 'conflict', said);
        assert.deepEqual(everything(), before);
      } finally {
        free();
      }
    });
  }

  it('is refused outside of the lanes, and for what is no rescue', async () => {
    const before = everything();
    const at = (more: object) => restoreRescue(repo.restoreRequest(rescue, lane, more));
    await rejectsWith(at({ path: join(repo.folder, 'elsewhere') }), 'invalid_input', 'elsewhere');
    await rejectsWith(at({ path: repo.lanes }), 'invalid_input', repo.lanes);
    await rejectsWith(at({ ref: 'refs/heads/main' }), 'refused', 'refs/heads/main');
    await rejectsWith(at({ ref: 'refs/agentkit/rescue/none/1' }), 'not_found', 'none/1');
    repo.git(['update-ref', 'refs/agentkit/rescue/fake/1', 'HEAD']);
    await rejectsWith(at({ ref: 'refs/agentkit/rescue/fake/1' }), 'invalid_input', 'not a rescue');
    repo.git(['update-ref', '-d', 'refs/agentkit/rescue/fake/1']);
    rmSync(join(repo.commonDir, 'refs/agentkit/rescue/fake'), { recursive: true, force: true });
    assert.deepEqual(everything(), before);
  });

  describe('after a crash', () => {
    /** A finished lane turned into what a crash leaves: not marked as finished, and whatever `undo` takes away. */
    const crash = async (undo: () => void) => {
      await restore(lane);
      const admin = repo.admin(lane.path);
      const marker = await readMarker(lane.path);
      assert.ok(marker);
      await writeMarker(admin, { ...marker, prepared: false });
      chmodSync(join(lane.path, 'closed'), 0o700);
      undo();
    };
    const at = (name: string) => join(lane.path, name);

    it('goes on from a file that was half written, and files, links and states that are missing', async () => {
      await crash(() => {
        const admin = repo.admin(lane.path);
        truncateSync(at('closed/large'), 1000);
        ['staged', 'link', 'cache/notes'].forEach((name) => rmSync(at(name)));
        rmSync(at('closed/empty'), { recursive: true });
        rmSync(join(admin, 'index'));
        writeFileSync(join(admin, 'HEAD'), 'ref: refs/heads/lane/api\n');
      });
      await restoreRescue(repo.restoreRequest(rescue, lane));
      assert.deepEqual(worktreeSnapshot(lane.path), then);
      assert.equal(runGit(lane.path, ['diff', '--cached', '--name-only']), 'staged');
      assert.equal((await readMarker(lane.path))?.prepared, true);
    });

    it('goes on when only the branch, or only an empty worktree had been made', async () => {
      const args = ['--create-reflog', '-m', 'agentkit run2/api again-api'];
      repo.git(['update-ref', ...args, 'refs/heads/lane/api', rescue.tip ?? '']);
      await restore(lane);
      assert.deepEqual(worktreeSnapshot(lane.path), then);
      repo.discard(lane);
      repo.git(['branch', 'lane/api', rescue.tip ?? '']);
      const lock = ['--lock', '--reason', 'agentkit run2/api again-api'];
      repo.git(['worktree', 'add', '-q', '--no-checkout', ...lock, lane.path, 'lane/api']);
      await restoreRescue(repo.restoreRequest(rescue, lane));
      assert.deepEqual(worktreeSnapshot(lane.path), then);
    });

    const foreign: Record<string, { put: () => void; named: string }> = {
      'other bytes in a file': { put: () => writeFileSync(at('staged'), 'theirs\n'), named: 'staged' },
      'fewer bytes in a file': { put: () => writeFileSync(at('staged'), 'no'), named: 'staged' },
      'more bytes in a file': { put: () => appendFileSync(at('staged'), 'theirs\n'), named: 'staged' },
      'a link in place of a file': {
        put: () => {
          rmSync(at('staged'));
          symlinkSync(join(repo.root, 'README.md'), at('staged'));
        },
        named: 'staged',
      },
      'a link in place of a folder': {
        put: () => {
          renameSync(at('src'), join(repo.folder, 'src moved'));
          symlinkSync(join(repo.folder, 'src moved'), at('src'));
        },
        named: 'src',
      },
      'a link to elsewhere': {
        put: () => {
          rmSync(at('link'));
          symlinkSync('elsewhere', at('link'));
        },
        named: 'link',
      },
      'a file of its own': { put: () => writeFileSync(at('theirs'), ''), named: 'theirs' },
    };
    for (const [what, { put, named }] of Object.entries(foreign)) {
      it(`overwrites nothing where somebody put ${what}`, async () => {
        await crash(put);
        const before = worktreeSnapshot(lane.path);
        await rejectsWith(restoreRescue(repo.restoreRequest(rescue, lane)), 'conflict', named);
        const now = worktreeSnapshot(lane.path);
        assert.equal(now[named], before[named]);
        assert.equal((await readMarker(lane.path))?.prepared, false);
      });
    }
  });

  it('is refused for another nonce than the one that has begun', async () => {
    await restore(lane);
    const other = repo.restoreRequest(rescue, lane, { nonce: 'other' });
    await rejectsWith(restoreRescue(other), 'conflict', 'lane api of run run2');
  });

  it('tells when the archive is damaged or gone, and restores the rest', async () => {
    const file = rescue.archive?.file ?? '';
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged[1024] = 0x21;
    writeFileSync(file, damaged);
    const { warnings } = await restore(lane);
    assert.match(warnings.join(), /1 ignored files.*not as it was written/);
    assert.equal(existsSync(join(lane.path, 'cache/notes')), false);
    assert.equal(existsSync(join(lane.path, 'staged')), true);
    repo.discard(lane);
    rmSync(file);
    const gone = await restoreRescue(repo.restoreRequest(rescue, lane));
    assert.match(gone.warnings.join(), /is gone/);
    writeFileSync(file, whole);
  });

  it('makes it under another name, with operations and submodules knowing their new place', async () => {
    const library = join(repo.folder, 'library');
    mkdirSync(library);
    runGit(library, ['init', '-q', '-b', 'main']);
    runGit(library, [
      '-c',
      'user.name=L',
      '-c',
      'user.email=l@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'L',
    ]);
    const old = await repo.make('old');
    runGit(old.path, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub']);
    runGit(old.path, ['commit', '-qm', 'Sub']);
    writeFileSync(join(old.path, 'sub/dirty'), 'dirt\n');
    writeFileSync(join(old.path, 'README.md'), 'one\n');
    runGit(old.path, ['commit', '-qam', 'One']);
    runGit(old.path, ['-c', 'sequence.editor=sed -i 1s/pick/edit/', 'rebase', '-q', '-i', 'HEAD~1']);
    const kept = await repo.rescue(old);
    const fresh = repo.lane('fresh name', { path: join(repo.lanes, 'deep/er/fresh'), branch: 'lane/fresh' });
    await restoreRescue(repo.restoreRequest(kept, fresh));
    assert.equal(runGit(join(fresh.path, 'sub'), ['status', '--porcelain']), '?? dirty');
    assert.equal(runGit(join(fresh.path, 'sub'), ['rev-parse', '--show-toplevel']), join(fresh.path, 'sub'));
    assert.equal(runGit(join(old.path, 'sub'), ['rev-parse', '--show-toplevel']), join(old.path, 'sub'));
    runGit(fresh.path, ['rebase', '--continue']);
    assert.equal(runGit(fresh.path, ['symbolic-ref', 'HEAD']), 'refs/heads/lane/fresh');
    assert.equal(existsSync(join(repo.admin(old.path), 'rebase-merge')), true);
    repo.discard(fresh);
    repo.discard(old);
  });

  it('stands on the branch that the lane had switched to where it is free, else on its commit', async () => {
    const other = await repo.make('switcher');
    runGit(other.path, ['checkout', '-q', '-b', 'side']);
    writeFileSync(join(other.path, 'README.md'), 'side\n');
    runGit(other.path, ['commit', '-qam', 'Side']);
    const admin = adminSnapshot(repo.admin(other.path));
    const kept = await repo.rescue(other);
    const again = async () => {
      const { warnings } = await restoreRescue(repo.restoreRequest(kept, other));
      const head = readFileSync(join(repo.admin(other.path), 'HEAD'), 'utf8').trim();
      repo.discard(other);
      return { warnings: warnings.join(), head };
    };
    repo.discard(other);
    assert.deepEqual(await again(), { warnings: '', head: 'ref: refs/heads/side' });
    repo.git(['branch', '-qD', 'side']);
    const made = await again();
    assert.match(made.warnings, /side, which was gone/);
    assert.equal(repo.git(['rev-parse', 'side']), kept.head);
    repo.git(['update-ref', 'refs/heads/side', 'HEAD']);
    const detached = await again();
    assert.match(detached.warnings, /has moved/);
    assert.equal(detached.head, kept.head);
    assert.ok(admin['HEAD']);
  });
});
