import assert from 'node:assert/strict';
import { followRun } from '../../../src/cli/followRun.ts';
import type { Session } from '../../../src/cli/session.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('following a run', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld();
  });
  after(() => world.dispose());

  it('says once what an agent waits for, and why its lane stopped', async () => {
    const kit = await world.kit();
    const steps = [{ ask: { for: 'question', text: 'Which one?' } }, writes('job.txt')];
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'job', steps }], { waiting_timeout: 2 }),
    });
    const told: string[] = [];
    const session = {
      say: (text: string) => told.push(text),
      interrupts: { signal: new AbortController().signal },
    } as unknown as Session;
    await followRun(kit, run, atRest, session);
    const waiting = told.filter((line) => line.includes('job: waiting'));
    assert.match(
      waiting.join('\n'),
      /^ {2}job: waiting · demo\/@\w+ — its agent asks a question: Which one\?$/,
    );
    assert.match(
      told.at(-1) ?? '',
      /job: blocked .*nobody answered within 2 s\. What it held is in refs\/agentkit\/rescue\/job\/\S+ too\.$/,
    );
  });
});
