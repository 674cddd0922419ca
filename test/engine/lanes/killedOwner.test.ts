import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { readJournal } from '../../../src/engine/store/journal.ts';
import { journalFile } from '../../../src/engine/store/runFolder.ts';
import { kill, poll, untilDead } from '../process/stepFixture.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

const mortal = join(import.meta.dirname, 'mortalAsker.ts');

describe('what an owner leaves that was killed', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    const gate = [{ name: 'check', run: 'true' }];
    world.write('agentkit.yaml', JSON.stringify({ version: 1, gate }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'gate');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  function actAndDie(orders: object): Promise<void> {
    const { repo, dist, environment: env } = world;
    const text = JSON.stringify({ repo, dist, ...orders });
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [mortal, text], { env, timeout: 60_000 }, (error, _stdout, stderr) => {
        if (error?.signal === 'SIGKILL') resolve();
        else reject(new Error(`it did not die: ${stderr}`));
      });
    });
  }

  it('is no request of which half was done: what it asked for and its answer are written at once', async () => {
    const [lane] = await kit.lanes.create(['hand']);
    writeFileSync(join(lane!.path!, 'hand.txt'), 'work\n');
    await kit.dispose();
    await actAndDie({ gates: 'hand', die: 'lane.reopened' });
    kit = await world.kit('editor');
    await (
      await kit.resumeRun('manual')
    ).atRest;
    assert.equal((await kit.findLane('hand')).state, 'ready');
    const { folder } = await kit.readRun('manual');
    const { events } = await readJournal(journalFile(folder));
    const answers = events.flatMap((event) => (event.type === 'request.answered' ? [event.message] : []));
    assert.deepEqual(answers.slice(-1), ['The gate of lane hand runs.']);
    assert.equal(events.filter(({ type }) => type === 'gate.started').length, 1);
    assert.deepEqual(readdirSync(join(folder, 'requests')), []);
  });

  it('is an agent that goes on and is shown so, until that has gone too', async () => {
    const steps = [{ ask: { for: 'question', text: 'Which?', answer: 'answer' } }, writes('job.txt')];
    const plan = world.plan([{ id: 'job', steps }]);
    await actAndDie({ plan, die: 'lane.waiting' });
    const shown = async () => {
      const { run } = await kit.findLane('job');
      const { status, owner, lanes, folder } = await kit.readRun(run);
      return { run, folder, shown: [status, owner?.alive, lanes[0]?.state] };
    };
    const { run, folder, shown: left } = await shown();
    assert.deepEqual(left, ['interrupted', false, 'waiting']);
    const { status } = await readStep(join(folder, 'lanes/job/attempt-1'));
    const agent = processIdentity(status?.child_pid ?? 0);
    assert.ok(status && agent && isAlive(status.supervisor));
    for (const each of [status.supervisor, agent]) {
      kill(each.pid);
      await untilDead(each);
    }
    assert.deepEqual((await shown()).shown, ['interrupted', false, 'interrupted']);
    const { atRest } = await kit.resumeRun(run, { retry: true });
    await poll('the agent of the next owner', 60_000, async () => {
      const { state, path } = await kit.findLane('job');
      return state === 'waiting' ? (writeFileSync(join(path!, 'answer'), ''), true) : undefined;
    });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    assert.deepEqual(
      lane.attempts.map(({ outcome }) => outcome),
      ['lost', 'succeeded'],
    );
  });
});
