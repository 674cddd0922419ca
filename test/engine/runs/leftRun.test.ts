import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

interface Line {
  type: string;
  [key: string]: unknown;
}

describe('a run as a fresh start finds it, whose owner and processes are gone', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let folder: string;
  let run: string;
  let lines: Line[];
  /** Nobody: no process has such a number. */
  const gone = { pid: 2 ** 22 + 1, started: 'long ago', boot: 'another', head: 'ak' };

  before(async () => {
    world = new DemoWorld(['one']);
    const kit = await world.kit();
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]) });
    ({ folder, run } = await atRest);
    await kit.request(run, { do: 'merge', lane: 'job' });
    await kit.dispose();
    const text = readFileSync(join(folder, 'journal.jsonl'), 'utf8');
    lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  });
  after(() => world.dispose());

  /** The journal as it was when its owner died after so many events: one that is not there any more wrote it. */
  function leave(count: number): void {
    const events = lines
      .slice(0, count)
      .map((event) => (event.type === 'owner' ? { ...event, owner: gone } : event));
    writeFileSync(
      join(folder, 'journal.jsonl'),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    );
  }

  it('is shown with nothing at work in any state that it came to, and as interrupted where it is not at rest', async () => {
    const seen = new Set<string>();
    for (let count = 1; count <= lines.length; count += 1) {
      leave(count);
      const kit = await world.kit();
      const view = await kit.readRun(run);
      const state = view.lanes[0]?.state ?? '';
      const last = lines[count - 1]?.type;
      seen.add(state);
      assert.ok(
        ['queued', 'interrupted', 'passed', 'ready', 'merged'].includes(state),
        `${state} after ${last}`,
      );
      if (state === 'interrupted') {
        assert.equal(view.status, 'interrupted', `after ${last}`);
        assert.deepEqual(view.lanes[0]?.why_not, ['its owner is gone; resume the run to go on'], last);
      }
      await kit.dispose();
    }
    assert.deepEqual(
      [...seen],
      ['queued', 'interrupted', 'ready', 'merged'].filter((each) => seen.has(each)),
    );
    assert.ok(
      ['queued', 'interrupted', 'ready', 'merged'].every((each) => seen.has(each)),
      [...seen].join(),
    );
  });

  it('does what is asked of such a lane as of one that is interrupted', async () => {
    leave(lines.findIndex(({ type }) => type === 'attempt.started') + 1);
    for (const step of readdirSync(join(folder, 'lanes/job')))
      rmSync(join(folder, 'lanes/job', step, 'result.json'), { force: true });
    const kit = await world.kit();
    assert.equal((await kit.findLane('job')).state, 'interrupted');
    const { ok, message } = await kit.request(run, { do: 'retry', lane: 'job' });
    assert.ok(ok, message);
  });
});
