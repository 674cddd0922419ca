import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { readJournal } from '../../../src/engine/store/journal.ts';
import { journalFile } from '../../../src/engine/store/runFolder.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

const closer = join(import.meta.dirname, 'mortalCloser.ts');
const deaths = ['lane.closing', 'lane.rescued', 'lane.removed'].flatMap((event) =>
  (['before', 'after'] as const).map((when) => ({ event, when })),
);

/** The owner of a lane that is being discarded is killed around each event; the next one comes to the same end. */
describe('the discard of a lane whose owner is killed', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let lanes: LaneView[];

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
    lanes = await kit.lanes.create([...deaths.map((_death, index) => `lane-${index}`), 'changed']);
    for (const { path } of lanes) writeFileSync(join(path!, 'draft.txt'), 'work of hours\r\n');
  });
  after(() => world.dispose());

  function discardAndDie(lane: string, die: (typeof deaths)[number]): Promise<void> {
    const { repo, dist, environment: env } = world;
    const orders = JSON.stringify({ repo, dist, lane, die });
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [closer, orders], { env, timeout: 60_000 }, (error, _stdout, stderr) => {
        if (error?.signal === 'SIGKILL') resolve();
        else reject(new Error(`it did not die: ${stderr}`));
      });
    });
  }

  async function goOn(lane: string): Promise<LaneView> {
    await (
      await kit.resumeRun('manual')
    ).atRest;
    return kit.findLane(lane);
  }

  /** The requests that the journal answers. */
  async function answered(): Promise<string[]> {
    const { folder } = await kit.readRun('manual');
    const { events } = await readJournal(journalFile(folder));
    return events.flatMap((event) => (event.type === 'request.answered' ? [event.request] : []));
  }

  deaths.forEach((death, index) => {
    it(`${death.when} ${death.event} ends with all kept once and nothing left`, async () => {
      const { lane, path } = lanes[index]!;
      await discardAndDie(lane, death);
      const view = await goOn(lane);
      assert.equal(view.state, 'dropped', view.why_not.join(' '));
      assert.equal(view.rescues.length, 1, 'a rescue that still holds all is used again');
      const ids = await answered();
      assert.equal(new Set(ids).size, ids.length, 'whoever asked was answered twice');
      // Who finds it done already can only tell that it is gone.
      assert.notEqual(view.removed?.branch, 'kept');
      assert.deepEqual(view.removed?.left, []);
      assert.equal(world.git('branch', '--list', `lane/${lane}`), '');
      assert.ok(!existsSync(path!));
      const back = await kit.lanes.restore(view.rescue!);
      assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'work of hours\r\n');
    });
  });

  it('rescues again what was changed since the rescue of the dead owner', async () => {
    const { lane, path } = lanes.at(-1)!;
    await discardAndDie(lane, { event: 'lane.rescued', when: 'after' });
    writeFileSync(join(path!, 'draft.txt'), 'changed\n');
    const view = await goOn(lane);
    assert.equal(view.state, 'dropped', view.why_not.join(' '));
    assert.equal(view.rescues.length, 2);
    const back = await kit.lanes.restore(view.rescue!);
    assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'changed\n');
  });
});
