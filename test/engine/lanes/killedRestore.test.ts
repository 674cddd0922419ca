import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

const restorer = join(import.meta.dirname, 'mortalCloser.ts');

describe('a rescue that is brought back by somebody who is killed', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
    for (const { lane, path } of await kit.lanes.create(['asked', 'added', 'made'])) {
      writeFileSync(join(path!, 'draft.txt'), 'work of hours\n');
      await kit.lanes.discard(lane);
    }
  });
  after(() => world.dispose());

  function restoreAndDie(lane: string, die: { event: string; when: 'before' | 'after' }): Promise<void> {
    const { repo, dist, environment: env } = world;
    const orders = JSON.stringify({ repo, dist, lane, restores: true, die });
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [restorer, orders], { env, timeout: 60_000 }, (error, _stdout, stderr) => {
        if (error?.signal === 'SIGKILL') resolve();
        else reject(new Error(`it did not die: ${stderr}`));
      });
    });
  }

  /** Names of the open lanes that were made of a lane's rescue. */
  async function openLanes(lane: string): Promise<string[]> {
    const { lanes } = await kit.readRun('manual');
    return lanes
      .filter((each) => each.lane.startsWith(lane) && each.state !== 'dropped')
      .map((each) => each.lane);
  }

  const deaths = [
    ['asked', { event: 'lane.added', when: 'before' }],
    ['added', { event: 'lane.added', when: 'after' }],
    ['made', { event: 'lane.created', when: 'before' }],
  ] as const;
  for (const [lane, death] of deaths)
    it(`is one lane for whoever asks again, killed ${death.when} ${death.event}`, async () => {
      for (let time = 0; time < 2; time += 1) {
        if (lane !== 'asked' && time > 0) break;
        await restoreAndDie(lane, death);
      }
      const back = await kit.lanes.restore(lane);
      assert.deepEqual([back.state, back.lane], ['open', lane], back.why_not.join(' '));
      assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'work of hours\n');
      assert.deepEqual(await openLanes(lane), [lane]);
    });

  it('is a second lane where the first is there already', async () => {
    const second = await kit.lanes.restore('asked');
    assert.equal(second.lane, 'asked-2');
    assert.deepEqual((await openLanes('asked')).sort(), ['asked', 'asked-2']);
  });
});
