import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { tempRepository } from './tempRepository.ts';

const module = new URL('../../../src/engine/git/createLane.ts', import.meta.url).href;

describe('a post-checkout hook that does not end', function () {
  this.timeout(60_000);
  const isRunning = (pid: number) => platform.find(pid)?.zombie === false;

  async function until(what: string, done: () => boolean): Promise<void> {
    const deadline = performance.now() + 15_000;
    while (!done()) {
      assert.ok(performance.now() < deadline, `waited for ${what}`);
      await pause(30);
    }
  }

  it('carries the marks of its lane, and ends with all of its group when we do', async () => {
    const repo = tempRepository();
    try {
      const hooks = join(repo.commonDir, 'hooks');
      const [mark, pids] = [join(repo.folder, 'mark'), join(repo.folder, 'pids')];
      mkdirSync(hooks, { recursive: true });
      writeFileSync(
        join(hooks, 'post-checkout'),
        `#!/bin/sh\necho "$MARK" > "${mark}"; sleep 600 &\necho "$$ $!" > "${pids}"; wait\n`,
      );
      chmodSync(join(hooks, 'post-checkout'), 0o755);
      const request = repo.lane('ended', { marks: { MARK: 'run/lane/0' } });
      const code = `import { createLane } from ${JSON.stringify(module)};
        process.on('SIGTERM', () => process.exit(1));
        await createLane(${JSON.stringify(request)});`;
      const owner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
      await until('the hook to run', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
      assert.equal(readFileSync(mark, 'utf8'), 'run/lane/0\n');
      const started = readFileSync(pids, 'utf8').split(' ').map(Number);
      assert.deepEqual(started.map(isRunning), [true, true]);
      owner.kill('SIGTERM');
      await once(owner, 'exit');
      await until('their end', () => !started.some(isRunning));
    } finally {
      repo.remove();
    }
  });
});
