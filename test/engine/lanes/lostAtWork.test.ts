import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { kill, untilDead } from '../process/stepFixture.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

const mortal = join(import.meta.dirname, 'mortalAsker.ts');

describe('an agent at work in a lane whose run was deleted', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let path: string;
  const working: ProcessIdentity[] = [];

  before(async () => {
    world = new DemoWorld(['one']);
    const steps = [{ ask: { for: 'question', text: 'Which?', answer: 'answer' } }];
    const { repo, dist, environment: env } = world;
    const plan = world.plan([{ id: 'job', steps }]);
    const orders = JSON.stringify({ repo, dist, plan, die: 'lane.waiting' });
    await new Promise((resolve) =>
      execFile(process.execPath, [mortal, orders], { env, timeout: 60_000 }, resolve),
    );
    kit = await world.kit('editor');
    const { run, ...lane } = await kit.findLane('job');
    path = lane.path!;
    const { folder } = await kit.readRun(run);
    const { status } = await readStep(join(folder, 'lanes/job/attempt-1'));
    const agent = processIdentity(status?.child_pid ?? 0);
    assert.ok(status && agent && isAlive(status.supervisor));
    working.push(status.supervisor, agent);
    await kit.dispose();
    rmSync(join(repo, '.git/agentkit/runs'), { recursive: true });
    mkdirSync(join(repo, '.git/agentkit/runs'));
    kit = await world.kit('editor');
  });
  after(async () => {
    for (const each of working.filter(isAlive)) {
      kill(each.pid);
      await untilDead(each);
    }
    await world.dispose();
  });

  it('keeps it from being adopted until it is stopped as an orphan, as the refusal says', async () => {
    assert.ok(working.every(isAlive));
    await assert.rejects(kit.lanes.adopt([path]), {
      reason: 'refused',
      message: /is not adopted: process \d+ .* still at work\. .*: ak lane orphans --stop/,
    });
    const orphans = await kit.lanes.orphans();
    assert.deepEqual([...new Set(orphans.map(({ lane, why_not }) => [lane, why_not].join()))], ['job,']);
    const pids = orphans.map(({ pid }) => pid);
    assert.ok(working.every(({ pid }) => pids.includes(pid)));
    const stopped = await kit.lanes.stopOrphans(orphans);
    assert.ok(stopped.every(({ result }) => result !== 'refused'));
    assert.deepEqual(working.filter(isAlive), []);
    const [lane] = await kit.lanes.adopt([path]);
    assert.deepEqual([lane?.lane, lane?.state], ['job', 'open'], lane?.why_not.join());
  });
});
