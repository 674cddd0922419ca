import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** Its first account runs into its limit after half of the work. */
const limited = (account: string) => ({ limit: { window: '5h', resets_in_s: 3600, accounts: [account] } });

describe('a lane whose account reaches its limit', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;

  beforeEach(async () => {
    world = new DemoWorld(['one', 'two']);
    world.setUsage('two', 50);
    kit = await world.kit();
  });
  afterEach(() => world.dispose());

  const steps = [
    { append: { path: 'job.txt', content: 'first\n' } },
    limited('@one'),
    { append: { path: 'job.txt', content: 'second\n' } },
  ];

  async function runAs(on_limit: string, more: object = {}): Promise<RunView> {
    const text = world.plan([{ id: 'job', steps }], { on_limit, ...more });
    const { atRest } = await kit.startRun({ text });
    return atRest;
  }

  it('goes on in the same conversation under the next one, in the same worktree', async () => {
    const [lane] = (await runAs('continue')).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    assert.deepEqual(
      lane.attempts.map(({ account, outcome }) => [account, outcome]),
      [
        ['demo/@one', 'failed'],
        ['demo/@two', 'succeeded'],
      ],
    );
    assert.equal(lane.attempts[0]?.session_id, lane.attempts[1]?.session_id);
    assert.equal(readFileSync(join(lane.path!, 'job.txt'), 'utf8'), 'first\nsecond\n');
    assert.equal(lane.rescue, null);
  });

  it('begins anew in a fresh worktree, with all that was there rescued', async () => {
    const [lane] = (await runAs('restart')).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    assert.notEqual(lane.attempts[0]?.session_id, lane.attempts[1]?.session_id);
    assert.equal(readFileSync(join(lane.path!, 'job.txt'), 'utf8'), 'first\nsecond\n');
    assert.equal(lane.rescues[0]?.why, 'restart');
    const rescued = await kit.lanes.restore(lane.rescue!);
    assert.equal(rescued.lane, 'job-2');
    assert.equal(readFileSync(join(rescued.path!, 'job.txt'), 'utf8'), 'first\n');
  });

  it('is handed over to a new conversation, which is told what is there', async () => {
    const view = await runAs('handover');
    const [lane] = view.lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    const prompt = readFileSync(join(view.folder, 'lanes/job/attempt-2/prompt.md'), 'utf8');
    assert.match(prompt, /demo\/@one/);
    assert.match(prompt, /job\.txt/);
    assert.equal(lane.rescue, null);
    assert.equal(readFileSync(join(lane.path!, 'job.txt'), 'utf8'), 'first\nfirst\nsecond\n');
  });

  it('can be told something once it has ended, in its own session, and its gate judges it again', async () => {
    const text = world.plan([{ id: 'job', steps: [writes('job.txt')] }]);
    await (
      await kit.startRun({ text })
    ).atRest;
    const found = await kit.lanes.canTell('job');
    assert.ok('session' in found, JSON.stringify(found));
    const more = '```demo\n- write: { path: job.txt, content: told }\n```\n';
    const answer = await kit.lanes.tell('job', `Change it.\n\n${more}`);
    assert.ok(answer.ok, answer.message);
    const deadline = performance.now() + 60_000;
    let lane = await kit.findLane('job');
    while (lane.attempts.length < 2 || lane.state !== 'ready') {
      assert.ok(performance.now() < deadline, `${lane.state}: ${lane.why_not.join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      lane = await kit.findLane('job');
    }
    assert.equal(lane.attempts[1]?.account, 'demo/@one');
    assert.equal(lane.attempts[1]?.session_id, found.session);
    assert.equal(readFileSync(join(lane.path!, 'job.txt'), 'utf8'), 'told');
  });

  it('cannot be told anything where its session is gone, and says so', async () => {
    const text = world.plan([{ id: 'job', steps: [writes('job.txt')] }]);
    const { atRest } = await kit.startRun({ text });
    const [lane] = (await atRest).lanes;
    world.forgetSessions('one');
    assert.deepEqual(await kit.lanes.canTell('job'), {
      why: 'The session of lane job is not there any more under demo/@one.',
    });
    await assert.rejects(kit.lanes.tell('job', 'Go on.'), { reason: 'refused' });
    assert.ok(existsSync(lane!.path!));
  });
});
