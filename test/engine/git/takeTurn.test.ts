import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeTurn } from '../../../src/engine/git/takeTurn.ts';
import { tryHold } from '../../../src/engine/store/lock.ts';

describe('takeTurn', () => {
  let commonDir: string;
  beforeEach(() => {
    commonDir = mkdtempSync(join(tmpdir(), 'agentkit-turn-'));
  });
  afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

  it("waits while another process has the repository's turn, and not for other repositories", async () => {
    const held = tryHold(join(commonDir, 'agentkit', 'lanes.lock'));
    assert.ok(held);
    const log: string[] = [];
    const waiting = takeTurn(commonDir, () => Promise.resolve(log.push('mine')));
    await takeTurn(join(commonDir, 'other'), () => Promise.resolve(log.push('other')));
    log.push('released');
    held.release();
    await waiting;
    assert.deepEqual(log, ['other', 'released', 'mine']);
  });

  it('goes on after a task that failed', async () => {
    const failed = takeTurn(commonDir, () => Promise.reject(new Error('no')));
    const next = takeTurn(commonDir, () => Promise.resolve('done'));
    await assert.rejects(failed, /no/);
    assert.equal(await next, 'done');
  });
});
