import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Wake } from '../../../src/engine/conductor/wake.ts';

describe('waiting for a change', () => {
  let folder: string;
  let wakes: Wake[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agentkit wake ü '));
    wakes = [];
  });
  afterEach(() => {
    for (const wake of wakes) wake.close();
    rmSync(folder, { recursive: true });
  });

  /** Waits as long as it takes; `over` tells whether that has ended. */
  const waiting = (ignored?: string[]) => {
    const wake = new Wake(ignored);
    wakes.push(wake);
    wake.watch(new Set([folder]));
    const wait = { over: false, end: wake.wait(2 ** 30) };
    void wait.end.then(() => (wait.over = true));
    return { wake, wait };
  };

  it('sleeps through changes of files that do not count, also of those on their way to such a name', async () => {
    const { wait } = waiting(['transcript.jsonl', 'status.json']);
    for (const name of ['transcript.jsonl', 'status.json.4711', 'status.json']) {
      // Whoever ignores nothing sees each change; the other one has been told of it by then.
      const everything = waiting();
      appendFileSync(join(folder, name), 'one more line\n');
      await everything.wait.end;
      await nextTurn();
      assert.equal(wait.over, false, name);
    }
    writeFileSync(join(folder, 'result.json'), '{}');
    await wait.end;
  });

  it('counts every file where none is left out', async () => {
    const { wait } = waiting();
    writeFileSync(join(folder, 'transcript.jsonl'), 'a line\n');
    await wait.end;
  });

  it('ends at once when it is told of a change, before or after', async () => {
    const { wake, wait } = waiting(['transcript.jsonl']);
    wake.now();
    await wait.end;
    wake.now();
    await wake.wait(2 ** 30);
  });
});
