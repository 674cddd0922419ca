import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { commitLeftovers, type LeftoversRequest } from '../../../src/engine/git/commitLeftovers.ts';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('commitLeftovers', () => {
  let repo: TempRepository;
  let lane: LaneRequest;
  beforeEach(async () => {
    repo = tempRepository();
    repo.commit({ '.gitignore': 'ignored/\n', 'src/dir/in.txt': 'in\n', 'src/run.sh': 'echo\n' });
    lane = repo.lane('api');
    await createLane(lane);
  });
  afterEach(() => repo.remove());

  function request(more: Partial<LeftoversRequest> = {}): LeftoversRequest {
    return {
      path: lane.path,
      isAllowed: (path) => path.startsWith('src/'),
      isSecret: (_path, bytes) => (bytes.includes('PRIVATE KEY') ? 'private key' : null),
      message: 'Leftovers of api',
      trailer: { key: 'AgentKit-Lane', value: 'api' },
      runHooks: true,
      ...more,
    };
  }

  const inLane = (path: string) => join(lane.path, path);

  function hook(name: string, body: string): void {
    mkdirSync(join(repo.commonDir, 'hooks'), { recursive: true });
    const file = join(repo.commonDir, 'hooks', name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
  }

  it('commits changes, new files, removals, renames, modes and links of any name, on the branch', async () => {
    repo.write(
      { 'src/a.txt': 'changed\n', 'src/ü "q"\nx .txt': 'odd\n', 'src/*.txt': 'star\n', 'src/ignored/x': 'x' },
      lane.path,
    );
    renameSync(inLane('src/b.txt'), inLane('src/moved.txt'));
    chmodSync(inLane('src/run.sh'), 0o755);
    symlinkSync('a.txt', inLane('src/link'));
    repo.git(['add', 'src/moved.txt'], lane.path);
    const result = await commitLeftovers(request());
    assert.deepEqual(result.committed.sort(), [
      'src/*.txt',
      'src/a.txt',
      'src/b.txt',
      'src/link',
      'src/moved.txt',
      'src/run.sh',
      'src/ü "q"\nx .txt',
    ]);
    const facts = await laneFacts(lane);
    assert.deepEqual([facts.head, facts.branchTip, facts.clean], [result.head, result.head, true]);
    assert.match(repo.git(['ls-tree', 'HEAD', 'src/run.sh', 'src/link'], lane.path), /^120000[^\n]*\n100755/);
    assert.equal(
      repo.git(['log', '-1', '--format=%an <%ae> %cn|%B'], lane.path),
      'Ada Ümlaut <ada@example.com> Ada Ümlaut|Leftovers of api\n\nAgentKit-Lane: api\n',
    );
  });

  it('commits a folder that became a file, and a file that became a folder or a link', async () => {
    rmSync(inLane('src/dir'), { recursive: true });
    rmSync(inLane('src/a.txt'));
    repo.write({ 'src/dir': 'now a file\n', 'src/a.txt/deep.txt': 'now a folder\n' }, lane.path);
    rmSync(inLane('src/b.txt'));
    symlinkSync('run.sh', inLane('src/b.txt'));
    await commitLeftovers(request());
    assert.deepEqual((await laneFacts(lane)).dirty, []);
  });

  it('commits names that are not UTF-8', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${lane.path}/src/`), Buffer.of(0xff, 0x0a)]), 'x');
    const { committed } = await commitLeftovers(request());
    assert.equal(committed.length, 1);
    assert.equal((await laneFacts(lane)).clean, true);
  });

  it('commits what the agent staged and then changed, removed or added again', async () => {
    repo.write({ 'src/a.txt': 'one\n', 'src/gone.txt': 'x', 'src/ita.txt': 'later\n' }, lane.path);
    repo.git(['add', 'src/a.txt', 'src/gone.txt'], lane.path);
    repo.git(['add', '-N', 'src/ita.txt'], lane.path);
    repo.git(['rm', '--cached', '--quiet', 'src/b.txt'], lane.path);
    writeFileSync(inLane('src/a.txt'), 'two\n');
    rmSync(inLane('src/gone.txt'));
    const { committed } = await commitLeftovers(request());
    assert.deepEqual(committed.sort(), ['src/a.txt', 'src/ita.txt']);
    assert.equal(repo.git(['show', 'HEAD:src/a.txt'], lane.path), 'two');
    assert.equal((await laneFacts(lane)).clean, true);
  });

  it('commits a change that the agent hid from git', async () => {
    repo.git(['update-index', '--assume-unchanged', 'src/a.txt'], lane.path);
    repo.git(['update-index', '--skip-worktree', 'src/b.txt'], lane.path);
    repo.write({ 'src/a.txt': 'hidden\n', 'src/b.txt': 'hidden\n' }, lane.path);
    assert.deepEqual((await commitLeftovers(request())).committed, ['src/a.txt', 'src/b.txt']);
    assert.equal((await laneFacts(lane)).clean, true);
  });

  it('makes no commit when there is nothing', async () => {
    repo.write({ 'ignored/x': 'x' }, lane.path);
    assert.deepEqual(await commitLeftovers(request()), {
      committed: [],
      outside: [],
      secrets: [],
      head: lane.base,
    });
  });

  it('leaves the paths alone that it is told to ignore', async () => {
    repo.write({ 'coverage/x': 'x', 'src/a.txt': 'changed\n' }, lane.path);
    const result = await commitLeftovers(request({ isIgnored: (path) => path.startsWith('coverage/') }));
    assert.deepEqual(result.committed, ['src/a.txt']);
    assert.equal(existsSync(inLane('coverage/x')), true);
  });

  describe('commits and stages nothing', () => {
    async function assertUntouched(
      more: Partial<LeftoversRequest> = {},
    ): Promise<Awaited<ReturnType<typeof commitLeftovers>>> {
      const before = repo.git(['status', '--porcelain', '-uall'], lane.path);
      const result = await commitLeftovers(request(more));
      assert.deepEqual([result.committed, result.head], [[], lane.base]);
      assert.equal(repo.git(['status', '--porcelain', '-uall'], lane.path), before);
      return result;
    }

    it('when a path is outside, also one half of a rename or a removal', async () => {
      repo.write({ 'src/a.txt': 'changed\n', 'other.txt': 'x' }, lane.path);
      rmSync(inLane('README.md'));
      assert.deepEqual((await assertUntouched()).outside.sort(), ['README.md', 'other.txt']);
    });

    it('when a file or a link looks like a secret, naming the kind and not the secret', async () => {
      repo.write({ 'src/key.pem': '-----BEGIN PRIVATE KEY-----\nabc' }, lane.path);
      symlinkSync('PRIVATE KEY', inLane('src/link'));
      assert.deepEqual((await assertUntouched()).secrets.sort(), [
        'src/key.pem (private key)',
        'src/link (private key)',
      ]);
      rmSync(inLane('src/key.pem'));
      rmSync(inLane('src/link'));
      repo.write({ 'src/key.pem': 'public' }, lane.path);
      assert.deepEqual((await commitLeftovers(request())).committed, ['src/key.pem']);
    });

    it('when there is a repository inside the lane', async () => {
      repo.git(['init', '--quiet', inLane('src/nested')]);
      repo.write({ 'src/nested/x.txt': 'x' }, lane.path);
      assert.deepEqual((await assertUntouched()).outside, ['src/nested/']);
    });
  });

  it('refuses off the branch and in the middle of a merge', async () => {
    repo.write({ 'src/new.txt': 'x' }, lane.path);
    repo.git(['switch', '--quiet', '-c', 'elsewhere'], lane.path);
    await rejectsWith(commitLeftovers(request()), 'conflict', lane.path, 'git switch lane/api');
    repo.git(['switch', '--quiet', 'lane/api'], lane.path);
    const other = repo.commit({ 'src/a.txt': 'theirs\n' });
    repo.commit({ 'src/a.txt': 'ours\n' }, 'Ours', lane.path);
    repo.write({ 'src/new.txt': 'y' }, lane.path);
    assert.throws(() => repo.git(['merge', other], lane.path));
    await rejectsWith(commitLeftovers(request()), 'conflict', 'merge is under way');
  });

  it('refuses without an identity, naming the setting', async () => {
    const saved = { ...process.env };
    repo.git(['config', '--unset', 'user.name']);
    repo.git(['config', '--unset', 'user.email']);
    repo.write({ 'src/a.txt': 'changed\n' }, lane.path);
    process.env.GIT_CONFIG_GLOBAL = '/dev/null';
    process.env.GIT_CONFIG_SYSTEM = '/dev/null';
    for (const name of [
      'EMAIL',
      'GIT_AUTHOR_NAME',
      'GIT_AUTHOR_EMAIL',
      'GIT_COMMITTER_NAME',
      'GIT_COMMITTER_EMAIL',
    ])
      delete process.env[name];
    try {
      await rejectsWith(commitLeftovers(request()), 'refused', 'git config --global user.name');
    } finally {
      process.env = saved;
    }
    assert.equal(repo.git(['status', '--porcelain'], lane.path), ' M src/a.txt');
  });

  describe('hooks', () => {
    it("run when asked: the user's pre-commit and commit-msg decide", async () => {
      hook('pre-commit', 'echo "lint says no"; exit 1');
      repo.write({ 'src/a.txt': 'changed\n' }, lane.path);
      await rejectsWith(commitLeftovers(request()), 'refused', lane.path, 'lint says no');
      assert.equal(readFileSync(inLane('src/a.txt'), 'utf8'), 'changed\n');
      hook('pre-commit', 'exit 0');
      hook('commit-msg', 'echo "Signed-off-by: hook" >> "$1"');
      assert.deepEqual((await commitLeftovers(request())).committed, ['src/a.txt']);
      assert.match(repo.git(['log', '-1', '--format=%B'], lane.path), /Signed-off-by: hook/);
    });

    it('do not run unasked', async () => {
      hook('pre-commit', 'exit 1');
      repo.write({ 'src/a.txt': 'changed\n' }, lane.path);
      assert.deepEqual((await commitLeftovers(request({ runHooks: false }))).committed, ['src/a.txt']);
    });
  });
});
