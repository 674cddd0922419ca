import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** A machine with one account and one port: what keeps either keeps everybody else waiting. */
describe('a lane whose agent did not begin', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    const setup = ['case "$AGENTKIT_LANE" in no-setup) exit 3;; esac'];
    const worktree = { ports: { PORT: '46950-46950' }, setup };
    world.write('agentkit.yaml', JSON.stringify({ version: 1, worktree }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  async function ended(id: string): Promise<LaneView> {
    const text = world.plan([{ id, steps: [writes(`${id}.txt`)] }]);
    const [lane] = (await (await kit.startRun({ text })).atRest).lanes;
    return lane ?? assert.fail();
  }

  async function assertFree(): Promise<void> {
    assert.deepEqual(
      (await listLeases(world)).map(({ owner }) => owner),
      [],
    );
  }

  it('gives its account back where its setup failed', async () => {
    const lane = await ended('no-setup');
    assert.deepEqual([lane.state, lane.attempts], ['blocked', []]);
    assert.match(lane.why_not.join(), /failed with exit 3/);
    await assertFree();
  });

  it('gives its account back where it cannot be made', async () => {
    const lane = await ended('no-port');
    assert.deepEqual([lane.state, lane.attempts], ['blocked', []]);
    assert.match(lane.why_not.join(), /46950/);
    await assertFree();
    // The port is free again with the lane that has it.
    assert.ok((await kit.lanes.discard('no-setup')).ok);
  });

  it('gives its account back where its run is stopped before', async () => {
    const text = world.plan([{ id: 'stopped', steps: [writes('stopped.txt')] }]);
    const { run, atRest } = await kit.startRun({ text });
    assert.ok((await kit.request(run, { do: 'stopRun' })).ok);
    await atRest;
    await assertFree();
    await kit.lanes.discard('stopped');
  });

  it('gives its account back where its session is gone by then, and begins anew when it is tried again', async () => {
    const first = await ended('told');
    assert.equal(first.state, 'ready', first.why_not.join());
    const found = await kit.lanes.canTell('told');
    assert.ok('session' in found, JSON.stringify(found));
    world.forgetSessions('one');
    const body = { do: 'tell', lane: 'told', ...found, text: 'Go on.' } as const;
    assert.ok((await kit.request(first.run, body)).ok);
    const failed = await poll('the end of what was told', 60_000, async () => {
      const lane = await kit.findLane('told');
      return lane.state === 'failed' ? lane : undefined;
    });
    const { folder } = await kit.readRun(first.run);
    const [, second] = failed.attempts;
    assert.deepEqual([second?.outcome, second?.exit], ['failed', null]);
    assert.match(
      second?.message ?? '',
      /is not there under demo\/@one, so its agent cannot go on; try the lane/,
    );
    assert.ok(!existsSync(join(folder, 'lanes/told/attempt-2/launch.json')), 'nothing was started');
    await assertFree();
    assert.ok((await kit.request(first.run, { do: 'retry', lane: 'told' })).ok);
    const lane = await poll('the lane that began anew', 60_000, async () => {
      const now = await kit.findLane('told');
      return now.attempts.length === 3 && now.state === 'ready' ? now : undefined;
    });
    assert.equal(readFileSync(join(lane.path!, 'told.txt'), 'utf8'), 'told.txt\n');
    await assertFree();
  });
});
