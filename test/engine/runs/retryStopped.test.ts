import assert from 'node:assert/strict';
import type { RunView } from '../../../src/core/lanes/laneView.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

/** Nothing of such a run is under way: whoever takes it over is at rest at once. */
describe('a run that was stopped, once it is resumed to try its lanes again', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  before(() => {
    world = new DemoWorld(['one', 'two']);
  });
  after(() => world.dispose());

  for (const head of ['editor', 'ak'] as const)
    it(`starts the agents of its interrupted lanes anew, and lets others begin: ${head}`, async () => {
      const kit = await world.kit(head);
      const ids = ['left', 'right'].map((side) => `${side}-${head}`);
      const working = ids.map((id) => ({ id, steps: [writes(`${id}.txt`), { wait: 60 }] }));
      const waiting = { id: `next-${head}`, steps: [writes(`next-${head}.txt`)] };
      const after = { ...waiting, id: `after-${head}`, paths: ['after.txt'], depends_on: [ids[0]] };
      const jobs = [after, ...working, waiting];
      const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
      for (const id of ids)
        await poll(
          `an agent of ${id}`,
          60_000,
          async () => (await kit.findLane(id)).state === 'running' || undefined,
        );
      await kit.request(run, { do: 'stopRun' });
      const stopped = await atRest;
      const statesOf = ({ lanes }: RunView) => lanes.map(({ state }) => state);
      assert.deepEqual(statesOf(stopped), ['blocked', 'interrupted', 'interrupted', 'blocked']);
      assert.equal(stopped.resumable, true);

      const other = await world.kit(head);
      const calmly = await (await other.resumeRun(run)).atRest;
      assert.deepEqual(statesOf(calmly), statesOf(stopped), 'without being asked to');
      const resumed = await other.resumeRun(run, { retry: true });
      for (const id of ids)
        await poll(
          `a second agent of ${id}`,
          60_000,
          async () => (await other.findLane(id)).attempts.length === 2 || undefined,
        );
      assert.deepEqual(statesOf(await other.readRun(run)), ['queued', 'running', 'running', 'queued']);
      await other.request(run, { do: 'stopRun' });
      const { lanes } = await resumed.atRest;
      assert.deepEqual(
        lanes.map(({ attempts }) => attempts.map(({ outcome }) => outcome)),
        [[], ['stopped', 'stopped'], ['stopped', 'stopped'], []],
      );
    });
});
