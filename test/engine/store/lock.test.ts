import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { tryHold, withLock } from '../../../src/engine/store/lock.ts';

const lockModule = new URL('../../../src/engine/store/lock.ts', import.meta.url).href;

describe('lock', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "agentkit lock's ü "));
  const children: ChildProcess[] = [];
  after(() => {
    children.forEach((child) => child.kill('SIGKILL'));
    rmSync(folder, { recursive: true });
  });

  /** A process of its own that holds the lock once this has resolved. */
  async function holder(file: string, node: string[] = []): Promise<ChildProcess> {
    const code = `import { tryHold } from ${JSON.stringify(lockModule)};
      globalThis.lock = tryHold(${JSON.stringify(file)}); console.log(globalThis.lock ? "held" : "busy"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, [...node, '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const said = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    assert.equal(said, 'held\n');
    return child;
  }

  function ended(child: ChildProcess): Promise<unknown> {
    return new Promise((resolve) => child.once('exit', resolve));
  }

  it('is held once, also within a process, and free after its release', () => {
    const file = join(folder, 'once.lock');
    const held = tryHold(file);
    assert.ok(held);
    assert.equal(tryHold(file), null);
    held.release();
    held.release();
    const again = tryHold(file);
    assert.ok(again);
    again.release();
  });

  it('is free at once when its holder is killed', async () => {
    const file = join(folder, 'killed.lock');
    const child = await holder(file);
    assert.equal(tryHold(file), null);
    child.kill('SIGKILL');
    await ended(child);
    const held = tryHold(file);
    assert.ok(held);
    held.release();
  });

  it('stays with a holder that is stopped', async () => {
    const file = join(folder, 'stopped.lock');
    const child = await holder(file);
    child.kill('SIGSTOP');
    await assert.rejects(
      withLock(file, () => assert.fail('must not run'), { timeoutMs: 300 }),
      (error: AgentKitError) => error.reason === 'timeout' && error.message.includes(file),
    );
    child.kill('SIGKILL');
    await ended(child);
    assert.equal(await withLock(file, () => 'mine', { timeoutMs: 300 }), 'mine');
  });

  it('lets one in at a time, and is free after an error', async () => {
    const file = join(folder, 'turns.lock');
    let inside = 0;
    const turn = () =>
      withLock(
        file,
        async () => {
          inside += 1;
          await new Promise(setImmediate);
          assert.equal(inside, 1);
          inside -= 1;
        },
        { timeoutMs: 10_000 },
      );
    await Promise.all([turn(), turn(), turn(), turn()]);
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error('inner')), { timeoutMs: 0 }),
      /inner/,
    );
    await turn();
  });

  it('is waited for without limit while others of this process have it, in their order', async () => {
    const file = join(folder, 'own.lock');
    const order: number[] = [];
    const turn = (index: number) =>
      withLock(
        file,
        async () => {
          await wait(100);
          order.push(index);
        },
        { timeoutMs: 50 },
      );
    await Promise.all([0, 1, 2, 3, 4].map(turn));
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
  });

  it('says which file cannot be used', () => {
    assert.throws(
      () => tryHold(folder),
      (error: AgentKitError) => error.reason === 'internal' && error.message.includes(folder),
    );
  });

  it('names the version it needs where node:sqlite is missing', async () => {
    const code = `import { tryHold } from ${JSON.stringify(lockModule)};
      try { tryHold(${JSON.stringify(join(folder, 'none.lock'))}) } catch (e) { console.log(e.reason, e.message) }`;
    const args = ['--no-experimental-sqlite', '--input-type=module', '-e', code];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => (output += String(data)));
    await ended(child);
    assert.match(output, /^not_installed AgentKit needs Node 22\.13/);
  });
});
