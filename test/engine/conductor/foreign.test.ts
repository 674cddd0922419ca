import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** While the agent of `job` runs it waits for an answer; what happens meanwhile was not done by us. */
describe('what changes outside of a lane while its agent runs', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one', 'two']);
    kit = await world.kit();
  });
  after(() => world.dispose());

  let count = 0;

  /** Does something while the agent of a new lane is at work; resolves to the lane at rest. */
  async function meanwhile(act: () => unknown): Promise<LaneView> {
    const id = `job-${++count}`;
    const ask = { ask: { for: 'question', text: 'May I?', answer: 'answer' } };
    const { atRest } = await kit.startRun({ text: world.plan([{ id, steps: [ask, writes(`${id}.txt`)] }]) });
    const deadline = performance.now() + 60_000;
    while ((await kit.findLane(id)).state !== 'waiting') {
      assert.ok(performance.now() < deadline, (await kit.findLane(id)).why_not.join(' '));
      await pause(50);
    }
    await act();
    writeFileSync(join((await kit.findLane(id)).path!, 'answer'), '');
    const [lane] = (await atRest).lanes;
    return lane!;
  }

  it('keeps it from passing when somebody moved another branch and set a setting, until a person takes it', async () => {
    const lane = await meanwhile(() => {
      world.git('branch', 'of-a-person');
      world.git('config', 'core.fsmonitor', 'true');
    });
    assert.equal(lane.state, 'failed');
    const why = lane.why_not.join(' ');
    assert.match(why, /refs\/heads\/of-a-person was created/);
    assert.match(why, /core\.fsmonitor/);
    world.git('config', '--unset', 'core.fsmonitor');
    await kit.request(lane.run, { do: 'gate', lane: lane.lane });
    const deadline = performance.now() + 60_000;
    while ((await kit.findLane(lane.lane)).state !== 'ready') {
      assert.ok(performance.now() < deadline, (await kit.findLane(lane.lane)).why_not.join(' '));
      await pause(50);
    }
  });

  it('keeps it from passing when a file of the main checkout was changed', async () => {
    const lane = await meanwhile(() => world.write('app.txt', 'changed by absolute path\n'));
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(' '), /app\.txt in the main checkout was changed/);
    world.git('restore', 'app.txt');
  });

  it('is brought back where it was a rescue', async () => {
    const [hand] = await kit.lanes.create(['hand']);
    writeFileSync(join(hand!.path!, 'draft.txt'), 'work\n');
    const { rescue } = await kit.lanes.discard('hand');
    const commit = world.git('rev-parse', rescue!);
    const lane = await meanwhile(() => world.git('update-ref', '-d', rescue!));
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(' '), /The rescue .* was deleted/);
    assert.equal(world.git('rev-parse', rescue!), commit);
  });

  it('keeps every lane from passing that was at work when a rescue was deleted, and no later one', async () => {
    const [hand] = await kit.lanes.create(['hand-too']);
    writeFileSync(join(hand!.path!, 'draft.txt'), 'work\n');
    const { rescue } = await kit.lanes.discard('hand-too');
    let first: LaneView | undefined;
    const second = await meanwhile(async () => {
      first = await meanwhile(() => world.git('update-ref', '-d', rescue!));
    });
    for (const lane of [first!, second]) {
      assert.equal(lane.state, 'failed', lane.why_not.join(' '));
      assert.match(lane.why_not.join(' '), /The rescue .*hand-too.* was deleted/);
    }
    const later = await meanwhile(() => undefined);
    assert.equal(later.state, 'ready', later.why_not.join(' '));
  });

  it('is nothing where AgentKit did it: lanes made, rescued, given up and merged', async () => {
    const ready = await meanwhile(() => undefined);
    assert.equal(ready.state, 'ready', ready.why_not.join(' '));
    const [, , own] = await kit.lanes.create(['before', 'given-up', 'of-a-person']);
    const { rescue } = await kit.lanes.discard('given-up');
    const lane = await meanwhile(async () => {
      await kit.lanes.create(['other']);
      // Whoever works in a lane by hand does so at any time.
      world.git('-C', own!.path!, 'commit', '--quiet', '--allow-empty', '-m', 'by hand');
      assert.ok((await kit.lanes.discard('before')).ok);
      const merged = await kit.request(ready.run, { do: 'merge', lane: ready.lane });
      assert.ok(merged.ok, merged.message);
      const [kept] = await kit.lanes.rescues();
      for (const ref of [kept!.ref, rescue!]) await kit.lanes.dropRescue(ref);
    });
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
    assert.ok(existsSync(join(world.repo, `${ready.lane}.txt`)));
  });
});
