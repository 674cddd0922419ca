import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunReader } from '../../../src/engine/runs/runReader.ts';
import { RunWatch } from '../../../src/engine/runs/runWatch.ts';

describe('the watch on runs', function () {
  this.timeout(60_000);
  let folder: string;
  let watch: RunWatch;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agentkit-watch-'))));
  afterEach(() => {
    watch.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sees the first event of a run whose folder was there long before', async () => {
    let calls = 0;
    watch = new RunWatch(folder, new RunReader(), () => (calls += 1));
    const run = join(folder, 'agentkit', 'runs', 'slow');
    mkdirSync(run, { recursive: true });
    for (let before = -1; before !== calls || calls === 0; await pause(700)) before = calls;
    const quiet = calls;
    writeFileSync(join(run, 'journal.jsonl'), 'not yet whole');
    for (const end = performance.now() + 20_000; calls === quiet; await pause(20))
      assert.ok(performance.now() < end, 'never called');
  });
});
