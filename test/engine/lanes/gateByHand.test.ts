import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';

describe('the gate of a lane at the word of a person', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  async function gated(run: string, lane: string): Promise<LaneView> {
    const answer = await kit.request(run, { do: 'gate', lane });
    assert.ok(answer.ok, answer.message);
    return poll('an end of the gate', 60_000, async () => {
      const view = await kit.findLane(`${run}/${lane}`);
      return view.state === 'verifying' ? undefined : view;
    });
  }

  it('says of a lane without changes that it holds none, and blames no agent that never was', async () => {
    await kit.lanes.create(['bare']);
    const lane = await gated('manual', 'bare');
    assert.equal(lane.state, 'failed');
    assert.deepEqual(lane.why_not, ['it failed', 'Lane bare holds no changes.']);
  });

  it('says of a lane without changes that its agent was stopped', async () => {
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'halted', steps: [{ wait: 600 }] }]),
    });
    await poll('its agent', 60_000, async () =>
      (await kit.findLane('halted')).state === 'running' ? true : undefined,
    );
    const answer = await kit.request(run, { do: 'stopLane', lane: 'halted' });
    assert.ok(answer.ok, answer.message);
    await atRest;
    const lane = await gated(run, 'halted');
    assert.deepEqual(lane.why_not, ['it failed', 'Lane halted holds no changes; its agent was stopped.']);
  });

  it('has the checks of its plan once the lane was discarded and restored, so that it can be merged', async () => {
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]) });
    await atRest;
    const answer = await kit.lanes.discard('job');
    assert.ok(answer.ok, answer.message);
    const back = await kit.lanes.restore('job');
    const lane = await gated(back.run, back.lane);
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
    assert.deepEqual(
      lane.gate.checks.map(({ name }) => name),
      ['check'],
    );
    const merged = await kit.request(back.run, { do: 'merge', lane: back.lane });
    assert.ok(merged.ok, merged.message);
    assert.equal(world.git('show', 'main:job.txt'), 'job.txt');
  });

  it('without checks names a way to its merge, which leads there', async () => {
    const [bare] = await kit.lanes.create(['without']);
    writeFileSync(join(bare!.path!, 'without.txt'), 'work\n');
    const refused = await gated('manual', 'without');
    assert.equal(refused.state, 'failed');
    assert.match(
      refused.why_not.join(),
      /no checks.*a gate in agentkit\.yaml.*ak lane create NAME --base COMMIT.*git merge lane\/without/,
    );
    world.write('agentkit.yaml', 'version: 1\ngate:\n  - { name: check, run: sh check.sh }\n');
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'gate');
    const [next] = await kit.lanes.create(['with'], { base: world.git('rev-parse', 'HEAD') });
    world.git('-C', next!.path!, 'merge', '--quiet', '--no-edit', 'lane/without');
    const lane = await gated('manual', 'with');
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
  });
});
