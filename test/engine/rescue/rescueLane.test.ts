import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { runGit } from '../git/tempRepository.ts';
import { adminSnapshot, snapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

describe('rescueLane', () => {
  let repo: RescueFixture;
  let lane: LaneRequest;
  let count = 0;
  before(() => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'cache/\nnode_modules/\ntarget/\n.venv/\n*.ignored\n' });
  });
  beforeEach(async () => {
    lane = await repo.make(`lane${(count += 1)}`);
  });
  after(() => repo.remove());

  const at = (name: string) => join(lane.path, name);
  const refs = () => repo.git(['for-each-ref', 'refs/agentkit']);
  const archives = () => {
    const folder = join(repo.commonDir, 'agentkit', 'rescued');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const kept = (commit: string) =>
    repo.git(['ls-tree', '-r', '--name-only', `${commit}:worktree`]).split('\n');

  it('touches neither index nor stash nor reflogs, and no other branch, file or setting', async () => {
    writeFileSync(at('src/a.txt'), 'stashed\n');
    runGit(lane.path, ['stash', '-q']);
    writeFileSync(at('src/a.txt'), 'staged\n');
    runGit(lane.path, ['add', '.']);
    writeFileSync(at('new'), 'new\n');
    const everything = () => ({
      worktree: worktreeSnapshot(lane.path),
      admin: adminSnapshot(repo.admin(lane.path)),
      main: snapshot(repo.root, (path) => /^\.git\/(objects|agentkit|refs\/agentkit)(\/|$)/.test(path)),
    });
    const then = everything();
    await repo.rescue(lane);
    assert.deepEqual(everything(), then);
  });

  describe('when something writes in the lane meanwhile', () => {
    const writes: Record<string, { write: () => void; named: string }> = {
      'a file that grew': { write: () => appendFileSync(at('grows'), 'more\n'), named: 'grows' },
      'other bytes of the same size': { write: () => writeFileSync(at('same'), 'b'), named: 'same' },
      permissions: { write: () => chmodSync(at('README.md'), 0o600), named: 'README.md' },
      'a link to elsewhere': {
        write: () => {
          rmSync(at('link'));
          symlinkSync('elsewhere', at('link'));
        },
        named: 'link',
      },
      'a new file': { write: () => writeFileSync(at('new'), ''), named: 'new' },
      'a new folder': { write: () => mkdirSync(at('folder')), named: 'folder' },
      'a file that is gone': { write: () => rmSync(at('src/b.txt')), named: 'src/b.txt' },
      'an ignored file that grew': { write: () => appendFileSync(at('x.ignored'), 'x'), named: 'x.ignored' },
      'other ignored bytes': { write: () => writeFileSync(at('x.ignored'), 'y'), named: 'x.ignored' },
      'what git keeps of it': {
        write: () => writeFileSync(join(repo.admin(lane.path), 'ORIG_HEAD'), 'x\n'),
        named: 'ORIG_HEAD',
      },
      'a branch that moved': {
        write: () => {
          const commit = repo.git(['commit-tree', `${lane.base}^{tree}`, '-m', 'moved']);
          writeFileSync(join(repo.commonDir, 'refs/heads', lane.branch), `${commit}\n`);
        },
        named: 'HEAD',
      },
    };
    for (const [what, { write, named }] of Object.entries(writes)) {
      it(`refuses ${what}, names it, and leaves no half rescue`, async () => {
        writeFileSync(at('same'), 'a');
        writeFileSync(at('x.ignored'), 'x');
        symlinkSync('here', at('link'));
        const [refsBefore, archivesBefore] = [refs(), archives()];
        let over = false;
        // The ref is made when all has been read once, and before it is read again.
        const ref = join(repo.commonDir, 'refs/agentkit/rescue', lane.lane);
        const writing = (async () => {
          while (!existsSync(ref) && !over) await new Promise((resolve) => setImmediate(resolve));
          write();
        })();
        await rejectsWith(repo.rescue(lane), 'conflict', named, lane.path).finally(() => (over = true));
        await writing;
        assert.equal(refs(), refsBefore);
        assert.deepEqual(archives(), archivesBefore);
      });
    }

    it('refuses a file that never comes to rest, and keeps it once it does', async () => {
      let on = true;
      const writing = (async () => {
        while (on) {
          appendFileSync(at('grows'), 'more\n');
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await rejectsWith(repo.rescue(lane), 'conflict', 'grows').finally(() => (on = false));
      await writing;
      assert.ok(kept((await repo.rescue(lane)).commit).includes('grows'));
    });
  });

  it('names what has no content to keep, and keeps the rest', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    try {
      execFileSync('mkfifo', [at('pipe')]);
      const rescue = await repo.rescue(lane);
      const named = rescue.notKept.map(({ path, reason }) => `${path}: ${reason.split(',')[0]}`);
      assert.deepEqual(named.sort(), ['pipe: a pipe', 'socket: a socket']);
      assert.ok(kept(rescue.commit).includes('README.md'));
    } finally {
      server.close();
    }
  });

  it('keeps ignored files beside the runs, for the owner alone, the smallest first up to the limit', async () => {
    mkdirSync(at('cache'));
    writeFileSync(at('cache/small'), 'x'.repeat(10));
    writeFileSync(at('cache/large'), 'x'.repeat(2000));
    writeFileSync(at('cache/larger'), 'x'.repeat(3000));
    writeFileSync(at('medium.ignored'), 'x'.repeat(100));
    const some = await repo.rescue(lane, { archiveLimit: 1000 });
    assert.equal(some.archive?.files, 2);
    assert.equal(some.archive.bytes, 110);
    assert.deepEqual(
      some.notKept.map(({ path }) => path),
      ['cache'],
    );
    assert.match(some.notKept[0]?.reason ?? '', /limit of 1000 bytes: 2 files of 5000 bytes/);
    assert.equal(statSync(some.archive.file).mode & 0o777, 0o600);
    const listed = execFileSync('tar', ['tf', some.archive.file], { encoding: 'utf8' });
    assert.equal(listed, 'cache/\ncache/small\nmedium.ignored\n');
    const all = await repo.rescue(lane, { archiveLimit: 5110 });
    assert.equal(all.archive?.files, 4);
    assert.deepEqual(all.notKept, []);
    assert.deepEqual(kept(all.commit), ['.gitignore', 'README.md', 'src/a.txt', 'src/b.txt']);
  });

  it('leaves out what we put there unless it is tracked, and dependency folders only where git ignores them', async () => {
    const write = (name: string) => {
      mkdirSync(join(at(name), '..'), { recursive: true });
      writeFileSync(at(name), name);
    };
    repo.write({ '.env.copied': '.env.copied', 'data/x': 'x' });
    symlinkSync(join(repo.root, 'data'), at('data'));
    ['.env.copied', 'node_modules/a/b', 'app/target/out', 'app/Cargo.toml', '.venv/lib'].forEach(write);
    write('target/only-named-so');
    write('.venv/pyvenv.cfg');
    writeFileSync(at('src/a.txt'), 'put there, but tracked');
    const rescue = await repo.rescue(lane, { leaveOut: ['.env.copied', 'data/', './src/a.txt', 'absent'] });
    assert.deepEqual(rescue.leftOut, ['.env.copied', '.venv', 'app/target', 'data', 'node_modules']);
    assert.deepEqual(kept(rescue.commit), [
      '.gitignore',
      'README.md',
      'app/Cargo.toml',
      'src/a.txt',
      'src/b.txt',
    ]);
    assert.equal(rescue.archive?.files, 1);
    writeFileSync(at('.gitignore'), '');
    const unignored = await repo.rescue(lane);
    assert.deepEqual(unignored.leftOut, []);
    assert.ok(kept(unignored.commit).includes('node_modules/a/b'));
  });

  it('keeps what we put there and somebody changed since, whatever git says of it', async () => {
    const large = Buffer.alloc(600_000, 'x');
    repo.write({ 'a.ignored': 'as it was\n', plain: 'as it was\n', gone: 'gone', 'folder/x': 'x', large });
    symlinkSync(join(repo.root, 'folder'), at('link'));
    symlinkSync('elsewhere', at('turned'));
    symlinkSync('folder', join(repo.root, 'link'));
    symlinkSync('folder', join(repo.root, 'turned'));
    writeFileSync(at('a.ignored'), 'as it is!\n');
    writeFileSync(at('plain'), 'as it is!\n');
    writeFileSync(at('gone'), 'gone');
    rmSync(join(repo.root, 'gone'));
    mkdirSync(at('folder'));
    writeFileSync(at('folder/own'), 'in place of a link');
    large.write('y', 599_999);
    writeFileSync(at('large'), large);
    const leaveOut = ['a.ignored', 'plain', 'gone', 'folder', 'link', 'turned', 'large'];
    const rescue = await repo.rescue(lane, { leaveOut });
    assert.deepEqual(rescue.leftOut, ['link']);
    const own = ['folder/own', 'gone', 'large', 'plain', 'turned'];
    for (const path of own) assert.ok(kept(rescue.commit).includes(path), path);
    assert.equal(rescue.archive?.files, 1);
    // The twin: what the main checkout has as well is left out again.
    repo.write({ 'a.ignored': 'as it is!\n', plain: 'as it is!\n', large });
    const same = await repo.rescue(lane, { leaveOut });
    assert.deepEqual(same.leftOut, ['a.ignored', 'large', 'link', 'plain']);
    for (const name of ['a.ignored', 'plain', 'large', 'folder', 'link', 'turned', '.env.copied', 'data'])
      rmSync(join(repo.root, name), { recursive: true, force: true });
  });

  it('counts what differs from HEAD, and says where HEAD and branch stood', async () => {
    writeFileSync(at('src/a.txt'), '12345');
    symlinkSync('123', at('link'));
    const rescue = await repo.rescue(lane, { why: 'blocked' });
    assert.equal(rescue.files, 2);
    assert.equal(rescue.bytes, 8);
    assert.equal(rescue.why, 'blocked');
    assert.equal(rescue.at, '2026-11-30T09:55:05.123Z');
    assert.equal(rescue.tip, lane.base);
    assert.equal(rescue.head, lane.base);
    assert.equal(rescue.archive, null);
  });

  it('gives each rescue of one second a ref of its own, also for a lane whose name has a folder', async () => {
    const other = repo.lane('run1/api', { path: join(repo.lanes, 'run1~api') });
    await createLane(other);
    const made = [await repo.rescue(other), await repo.rescue(other), await repo.rescue(other)];
    assert.deepEqual(
      made.map(({ ref }) => ref.replace('refs/agentkit/rescue/', '')),
      ['run1/api/20261130T095505Z', 'run1/api/20261130T095505Z-2', 'run1/api/20261130T095505Z-3'],
    );
    const together = await Promise.all([repo.rescue(other), repo.rescue(other)]);
    assert.notEqual(together[0].ref, together[1].ref);
  });

  it('keeps nothing of a worktree that is not this lane, nor where there is none', async () => {
    await rejectsWith(repo.rescue(lane, { nonce: 'another' }), 'conflict', lane.path);
    await rejectsWith(repo.rescue(lane, { path: join(repo.lanes, 'nowhere') }), 'not_found', 'nowhere');
    await rejectsWith(repo.rescue(lane, { path: repo.root }), 'not_found', repo.root);
    const moved = `${lane.path}-moved`;
    renameSync(lane.path, moved);
    symlinkSync(moved, lane.path);
    await rejectsWith(repo.rescue(lane), 'refused', lane.path, 'link');
    rmSync(lane.path);
    renameSync(moved, lane.path);
    await repo.rescue(lane);
  });

  it('keeps the commits of a lane whose folder somebody deleted', async () => {
    writeFileSync(at('src/a.txt'), 'committed\n');
    runGit(lane.path, ['commit', '-qam', 'Work']);
    runGit(lane.path, ['reset', '-q', '--hard', 'HEAD~1']);
    const lost = repo.git(['rev-parse', `${lane.branch}@{1}`]);
    rmSync(lane.path, { recursive: true });
    const rescue = await repo.rescue(lane);
    assert.equal(repo.git(['merge-base', lost, rescue.commit]), lost);
  });

  it('keeps a repository that was put in place of the worktree', async () => {
    rmSync(at('.git'));
    runGit(lane.path, ['init', '-q']);
    writeFileSync(at('.git/note'), 'in it\n');
    const rescue = await repo.rescue(lane);
    repo.git(['worktree', 'unlock', lane.path]);
    rmSync(lane.path, { recursive: true });
    repo.git(['worktree', 'prune', '--expire=now']);
    repo.git(['update-ref', '-d', `refs/heads/${lane.branch}`]);
    const { warnings } = await restoreRescue(repo.restoreRequest(rescue, lane));
    assert.match(warnings.join(), /\.git\.rescued/);
    assert.equal(readFileSync(at('.git.rescued/note'), 'utf8'), 'in it\n');
    assert.equal(runGit(lane.path, ['symbolic-ref', 'HEAD']), `refs/heads/${lane.branch}`);
  });

  it('keeps hundreds of commits of a reflog under few parents', async () => {
    const log = join(repo.admin(lane.path), 'logs', 'HEAD');
    const stream = Array.from({ length: 150 }, (_, n) =>
      [
        `commit refs/heads/many${n}`,
        'committer A <a@example.com> 1 +0000',
        `data ${String(n).length}`,
        `${n}`,
        '',
      ].join('\n'),
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repo.root, input: stream.join('') });
    const commits = repo.git(['for-each-ref', '--format=%(objectname)', 'refs/heads/many*']).split('\n');
    repo
      .git(['for-each-ref', '--format=%(refname)', 'refs/heads/many*'])
      .split('\n')
      .forEach((ref) => repo.git(['update-ref', '-d', ref]));
    for (const commit of commits)
      appendFileSync(log, `${lane.base} ${commit} A <a@example.com> 1 +0000\tmoving\n`);
    const rescue = await repo.rescue(lane);
    const parents = repo.git(['log', '-1', '--format=%P', rescue.commit]).split(' ');
    assert.ok(parents.length < 10, `${parents.length} parents`);
    const reached = new Set(repo.git(['rev-list', rescue.commit]).split('\n'));
    assert.equal(commits.length, 150);
    assert.deepEqual(
      commits.filter((commit) => !reached.has(commit)),
      [],
    );
  });

  it('names commits of the reflog that the repository has lost already, and keeps the others', async () => {
    const loose = (oid: string) => join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    const commitOf = (text: string) => {
      writeFileSync(at('src/a.txt'), text);
      runGit(lane.path, ['commit', '-qam', text]);
      const commit = runGit(lane.path, ['rev-parse', 'HEAD']);
      runGit(lane.path, ['reset', '-q', '--hard', 'HEAD~1']);
      return commit;
    };
    const [whole, broken] = [commitOf('whole'), commitOf('broken')];
    rmSync(loose(repo.git(['rev-parse', `${broken}:src/a.txt`])));
    const rescue = await repo.rescue(lane);
    assert.deepEqual(
      rescue.notKept.map(({ path }) => path),
      [`commit ${broken}`],
    );
    assert.equal(repo.git(['merge-base', whole, rescue.commit]), whole);
  });

  it('is no rescue when the repository has lost what the index names, or gives back other bytes', async () => {
    const loose = (oid: string) => join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    writeFileSync(at('staged'), 'staged once\n');
    runGit(lane.path, ['add', 'staged']);
    const file = loose(runGit(lane.path, ['rev-parse', ':staged']));
    const whole = readFileSync(file);
    writeFileSync(at('staged'), 'changed\n');
    rmSync(file);
    await rejectsWith(repo.rescue(lane), 'git_failed');
    writeFileSync(file, whole);
    await repo.rescue(lane);

    writeFileSync(at('src/a.txt'), 'some committed bytes\n');
    runGit(lane.path, ['commit', '-qam', 'Committed']);
    const committed = loose(runGit(lane.path, ['rev-parse', 'HEAD:src/a.txt']));
    const good = readFileSync(committed);
    const other = loose(repo.git(['hash-object', '-w', join(repo.root, '.gitignore')]));
    chmodSync(committed, 0o644);
    writeFileSync(committed, existsSync(other) ? readFileSync(other) : 'garbage');
    const before = refs();
    await rejectsWith(repo.rescue(lane), 'git_failed');
    assert.equal(refs(), before);
    writeFileSync(committed, good);
    await repo.rescue(lane);
  });
});
