import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRunFolder, nextRunFolder, runningRecords } from '../../../src/engine/agentRuns/runFolders.ts';
import { StepFixture } from '../process/stepFixture.ts';

const record = { version: 1 as const, caller: null, writes: true, lane: null };

describe('the folders of ak run', function () {
  this.timeout(60_000);
  let root: string;
  let environment: Record<string, string>;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'agentkit runs '));
    environment = { HOME: root, XDG_STATE_HOME: join(root, 'state') };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const runs = () => join(root, 'state', 'agentkit', 'runs');
  /** A folder of a run of that second of a day long ago, with a result. */
  function ended(second: number): string {
    const folder = nextRunFolder(environment, new Date(Date.UTC(2020, 0, 1, 0, 0, second)));
    mkdirSync(folder, { recursive: true });
    const at = '2020-01-01T00:00:00Z';
    const result = {
      outcome: 'succeeded',
      exit: 0,
      started_at: at,
      ended_at: at,
      duration_s: 1,
      truncated: false,
    };
    writeFileSync(join(folder, 'result.json'), JSON.stringify(result));
    return folder;
  }
  const makeOne = () => makeRunFolder(nextRunFolder(environment, new Date()), record);

  it('stay, the 50 newest of them; what is no folder of a run, and what a link leads to, is not touched', async () => {
    const folders = Array.from({ length: 52 }, (_each, second) => ended(second));
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'result.json'), '{}');
    symlinkSync(elsewhere, join(runs(), '20190101T000000Z-00000000'));
    mkdirSync(join(runs(), 'notes'));
    await makeOne();
    assert.deepEqual(folders.map((folder) => existsSync(folder)).indexOf(true), 3);
    assert.equal(folders.filter((folder) => existsSync(folder)).length, 49);
    assert.deepEqual(
      [existsSync(join(elsewhere, 'result.json')), existsSync(join(runs(), 'notes'))],
      [true, true],
    );
  });

  it('stay as long as something runs in them, and for a week where nobody knows', async () => {
    const fixture = new StepFixture();
    try {
      const running = nextRunFolder(environment, new Date(Date.UTC(2019, 0, 1)));
      await fixture.start(fixture.script('setTimeout(() => {}, 60_000)'), running);
      writeFileSync(join(running, 'run.json'), JSON.stringify(record));
      const [unknown, old] = [ended(0), ended(1)];
      for (const folder of [unknown, old]) writeFileSync(join(folder, 'result.json'), 'damaged');
      utimesSync(old, 1, 1);
      for (let second = 2; second < 55; second += 1) ended(second);
      await makeOne();
      assert.deepEqual(
        [running, unknown, old].map((folder) => existsSync(folder)),
        [true, true, false],
      );
      assert.deepEqual(
        (await runningRecords(environment)).map(({ id }) => id),
        [running.split('/').at(-1)],
      );
      writeFileSync(join(running, 'stop'), '');
      await fixture.result(running);
      assert.deepEqual(await runningRecords(environment), []);
      await makeOne();
      assert.equal(existsSync(running), false);
    } finally {
      fixture.close();
    }
  });
});
