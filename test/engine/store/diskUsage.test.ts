import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskUsage } from '../../../src/engine/store/diskUsage.ts';

describe('what a folder takes of its disk', () => {
  let top: string;
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
    mkdirSync(join(top, 'a/b'), { recursive: true });
    for (let n = 0; n < 100; n += 1) writeFileSync(join(top, 'a/b', `${n}`), 'x'.repeat(5000));
  });
  afterEach(() => execFileSync('rm', ['-rf', top]));

  const du = () =>
    Number(execFileSync('du', ['-s', '--block-size=1', top], { encoding: 'utf8' }).split('\t')[0]);

  it('is what du says, with files of several names once and nothing behind links', async () => {
    linkSync(join(top, 'a/b/1'), join(top, 'again'));
    symlinkSync('/usr', join(top, 'away'));
    assert.deepEqual(await diskUsage(top), { bytes: du(), entries: 104, complete: true });
  });

  it('is at least so much where its bounds were reached', async () => {
    for (const bounds of [
      { entries: 50, time: 60_000 },
      { entries: 1_000, time: 0 },
    ]) {
      const usage = await diskUsage(top, bounds);
      assert.equal(usage?.complete, false);
      assert.ok((usage?.bytes ?? 0) < du() && (usage?.entries ?? 0) < 103);
    }
  });

  it('is at least so much where something cannot be read', async () => {
    // Too deep to be named in one word: even the superuser cannot look there so.
    const deep = `for (let n = 0; n < 20; n += 1) {
      require('fs').mkdirSync('d'.repeat(250)); process.chdir('d'.repeat(250)); }`;
    execFileSync(process.execPath, ['-e', deep], { cwd: top });
    const usage = await diskUsage(top);
    assert.equal(usage?.complete, false);
    assert.ok((usage?.entries ?? 0) > 103 && (usage?.entries ?? 0) < 123, `${usage?.entries}`);
  });

  it('is nothing of what is not there, or is no folder', async () => {
    assert.equal(await diskUsage(join(top, 'nothing')), null);
    assert.equal(await diskUsage(join(top, 'a/b/1')), null);
  });
});
