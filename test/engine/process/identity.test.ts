import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { parsePs } from '../../../src/engine/process/platform/darwin.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { parseStat } from '../../../src/engine/process/platform/linux.ts';
import { poll } from './stepFixture.ts';

describe('identity of a process', function () {
  this.timeout(30_000);
  it('tells this process from any other', () => {
    const self = processIdentity(process.pid)!;
    assert.equal(isAlive(self), true);
    assert.equal(isAlive({ ...self, started: '1' }), false);
    assert.equal(isAlive({ ...self, boot: 'x' }), false);
    assert.equal(isAlive({ ...self, pid: 2 ** 30 }), false);
  });

  it('counts a process as dead once it has ended, also before its parent has collected it', async () => {
    const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec tail -f /dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    try {
      const pid = await new Promise<number>((resolve) => {
        parent.stdout!.once('data', (data) => resolve(Number(data)));
      });
      const identity = processIdentity(pid)!;
      assert.equal(isAlive(identity), true);
      process.kill(pid, 'SIGKILL');
      await poll('a process that is not collected', 10_000, () => platform.find(pid)?.zombie || undefined);
      assert.equal(isAlive(identity), false);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('has none for an id that nobody has', () => {
    assert.equal(processIdentity(2 ** 30), null);
  });

  it('reads a line of /proc whose name holds spaces, parentheses and a line end', () => {
    const rest = '0 -1 4194304 99 0 0 0 0 0 0 0 20 0 1 0 61566 3133440 382';
    assert.deepEqual(parseStat(`77 (a) (b\n c)) S 5 77 77 ${rest}`), {
      pid: 77,
      parent: 5,
      group: 77,
      started: '61566',
      zombie: false,
    });
    assert.equal(parseStat(`77 (x) Z 5 77 77 ${rest}`).zombie, true);
  });

  it('reads what ps of macOS prints', () => {
    const output =
      '  501   1   501 Ss   Mon Nov 30 03:31:02 2026\n  502 501   501 Z+   Mon Nov  3 03:31:02 2026\n\n';
    assert.deepEqual(parsePs(output), [
      { pid: 501, parent: 1, group: 501, started: 'Mon Nov 30 03:31:02 2026', zombie: false },
      { pid: 502, parent: 501, group: 501, started: 'Mon Nov 3 03:31:02 2026', zombie: true },
    ]);
    assert.deepEqual(parsePs(''), []);
  });
});
