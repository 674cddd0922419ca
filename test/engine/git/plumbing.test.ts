import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gitEnvironment, hookEnvironment } from '../../../src/engine/git/gitEnvironment.ts';
import { oneAtATime } from '../../../src/engine/store/oneAtATime.ts';
import { git, gitText } from '../../../src/engine/git/plumbing.ts';
import { isLockHeld } from '../../../src/engine/git/retryWhile.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('plumbing', () => {
  let repo: TempRepository;
  beforeEach(() => {
    repo = tempRepository();
  });
  afterEach(() => repo.remove());

  it("judges every exit code, and throws with git's own words", async () => {
    await rejectsWith(
      git(repo.root, ['cat-file', 'blob', 'nothing']),
      'git_failed',
      'cat-file',
      repo.root,
      'exit 128',
      'Not a valid object',
    );
    const args = ['diff', '--quiet', 'HEAD'];
    repo.write({ 'README.md': 'changed' });
    assert.equal((await git(repo.root, args, { okCodes: [0, 1] })).code, 1);
    await rejectsWith(git(repo.root, args), 'git_failed', 'exit 1');
    await rejectsWith(git(join(repo.folder, 'nowhere'), ['status']), 'not_found', 'nowhere');
  });

  it('takes and gives bytes', async () => {
    const bytes = Buffer.from([0, 0xff, 0x0d, 0x0a, 0xc3]);
    const oid = await gitText(repo.root, ['hash-object', '-w', '--stdin', '--no-filters'], { input: bytes });
    assert.deepEqual((await git(repo.root, ['cat-file', 'blob', oid])).stdout, bytes);
  });

  it('takes bytes piece by piece and gives them so', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'ab\r\n');
    async function* pieces() {
      for (let n = 0; n < 8; n += 1) yield await Promise.resolve(piece);
    }
    const args = ['hash-object', '-w', '--stdin', '--no-filters'];
    const oid = await gitText(repo.root, args, { input: pieces });
    let bytes = 0;
    await git(repo.root, ['cat-file', 'blob', oid], {
      consume: async (output) => {
        for await (const chunk of output) bytes += chunk.length;
      },
    });
    assert.equal(bytes, 8 * piece.length);
  });

  it('ends git when its output cannot be used, or its input cannot be given', async () => {
    const consume = () => Promise.reject(new Error('no use'));
    await assert.rejects(git(repo.root, ['cat-file', '--batch-check'], { consume }), /no use/);
    // eslint-disable-next-line require-yield -- it fails before its first piece
    async function* broken(): AsyncGenerator<Buffer> {
      await Promise.reject(new Error('no input'));
    }
    await assert.rejects(git(repo.root, ['hash-object', '--stdin'], { input: broken }), /no input/);
    const early = () => broken();
    await assert.rejects(git(repo.root, ['hash-object', '--nonsense'], { input: early }));
  });

  it('runs no program that the repository names', async () => {
    const ran = join(repo.folder, 'ran');
    const program = join(repo.folder, 'program');
    writeFileSync(program, `#!/bin/sh\necho "$0" >> "${ran}"\n`);
    chmodSync(program, 0o755);
    repo.git(['config', 'core.fsmonitor', program]);
    await git(repo.root, ['status', '--porcelain']);
    assert.equal(existsSync(ran), false);
    repo.git(['status', '--porcelain']);
    assert.equal(existsSync(ran), true);
  });

  describe('with hooks', () => {
    function hook(body: string): void {
      const file = join(repo.commonDir, 'hooks', 'post-checkout');
      repo.write({ 'hooks/post-checkout': `#!/bin/sh\n${body}\n` }, repo.commonDir);
      chmodSync(file, 0o755);
    }
    const run = (timeoutMs: number) =>
      git(repo.root, ['hook', 'run', 'post-checkout'], { hooks: true, timeoutMs });

    async function assertEnds(pid: number): Promise<void> {
      const deadline = Date.now() + 10_000;
      while (existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) {
        assert.ok(Date.now() < deadline, `process ${pid} still runs`);
        await wait(20);
      }
    }
    const pidIn = (file: string) => Number(readFileSync(join(repo.folder, file), 'utf8'));

    it('ends a hook that never ends, with everything it started', async () => {
      hook(`sleep 300 & echo $! > "${repo.folder}/child"; echo $$ > "${repo.folder}/hook"; wait`);
      await rejectsWith(run(700), 'timeout', 'git hook', '0.7 s');
      await assertEnds(pidIn('child'));
      await assertEnds(pidIn('hook'));
    });

    it('does not wait for what a hook leaves behind', async () => {
      hook(`sleep 300 & echo $! > "${repo.folder}/child"`);
      try {
        assert.equal((await run(60_000)).code, 0);
      } finally {
        process.kill(pidIn('child'));
      }
    });
  });

  it('passes on who the user is and where settings lie, nothing that redirects git, no keys to hooks', () => {
    const own = {
      PATH: '/bin',
      HOME: '/home/ada',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_CONFIG_GLOBAL: '/cfg',
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/x',
      GIT_OBJECT_DIRECTORY: '/x',
      GIT_CONFIG_PARAMETERS: "'core.worktree=/x'",
      GIT_CONFIG_COUNT: '1',
      SOME_API_KEY: 'key',
      NVM_DIR: '/nvm',
      LC_ALL: 'de_DE.UTF-8',
      ELECTRON_RUN_AS_NODE: '1',
    };
    const fixed = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0' };
    const user = { PATH: '/bin', HOME: '/home/ada', GIT_AUTHOR_NAME: 'Ada', GIT_CONFIG_GLOBAL: '/cfg' };
    assert.deepEqual(gitEnvironment(own), { ...user, ...fixed, LC_ALL: 'C' });
    assert.deepEqual(hookEnvironment(own), { ...user, ...fixed, NVM_DIR: '/nvm', LC_ALL: 'de_DE.UTF-8' });
  });

  it('tries again for a lock that is held, not for a branch that has moved', () => {
    assert.equal(
      isLockHeld("fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process"),
      true,
    );
    assert.equal(isLockHeld('error: could not lock config file .git/config: File exists'), true);
    assert.equal(isLockHeld("fatal: cannot lock ref 'refs/heads/main': is at 1 but expected 2"), false);
  });

  it('runs tasks of one key in order, whatever fails, and of other keys beside', async () => {
    const log: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = oneAtATime('a', async () => {
      await gate;
      log.push('first');
      throw new Error('first failed');
    });
    const second = oneAtATime('a', () => Promise.resolve(log.push('second')));
    await oneAtATime('b', () => Promise.resolve(log.push('other')));
    open();
    await assert.rejects(first, /first failed/);
    await second;
    assert.deepEqual(log, ['other', 'first', 'second']);
  });
});
