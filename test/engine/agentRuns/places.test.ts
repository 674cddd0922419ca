import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../agents/claude/recorded.ts';
import { writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';
import { answerOf } from './akProcess.ts';
import { RunWorld } from './runWorld.ts';

describe('where ak run works', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(() => world.dispose());

  /** A lane that has come to rest. */
  async function lane(): Promise<{ run: string; path: string }> {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]),
    });
    const path = (await atRest).lanes[0]?.path;
    assert.ok(path);
    return { run, path };
  }

  it('is the worktree of a lane, with the marks of the lane, from anywhere in the repository', async () => {
    const { run, path } = await lane();
    world.answer({
      during: `
        fs.writeFileSync('marks', [process.env.AGENTKIT_RUN, process.env.AGENTKIT_LANE].join(' '));
        process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`,
    });
    for (const name of ['job', `${run}/job`]) {
      const answer = await world.run(['claude', '@work', '--lane', name, '--', 'x']);
      assert.deepEqual([answer.exit, answer.cwd], [0, path], answer.error?.message);
      assert.equal(readFileSync(join(path, 'marks'), 'utf8'), `${run} job`);
    }
    const outside = await world.run(['claude', '@work', '--lane', 'job', '--', 'x'], { cwd: world.root });
    assert.deepEqual([outside.exit, outside.error?.reason], [3, 'not_found']);
  });

  it('is no lane that has an agent: neither one of its run, nor one of ak run', async () => {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'slow', steps: [{ wait: 60 }] }]) });
    await poll('the agent', 20_000, async () =>
      (await kit.findLane('slow')).state === 'running' ? true : undefined,
    );
    const busy = await world.run(['claude', '@work', '--lane', 'slow', '--', 'x']);
    assert.deepEqual([busy.exit, busy.error?.reason], [1, 'conflict']);
    assert.match(busy.error?.message ?? '', /Lane slow has a live agent; stop it first: ak lane stop slow/);
    await kit.request(run, { do: 'stopLane', lane: 'slow' });
    await atRest;

    world.answer({ during: `fs.writeFileSync('begun', ''); setInterval(() => {}, 1000);` });
    const first = world.begin(['run', 'claude', '@work', '--json', '--lane', 'slow', '--', 'x']);
    const { path } = await kit.findLane('slow');
    await poll('the agent of ak run', 20_000, () => existsSync(join(path ?? '', 'begun')) || undefined);
    // A folder that could not be trusted here would be told first.
    const second = await world.run(['claude', '@other', '--trust-cwd', '--lane', 'slow', '--', 'x']);
    assert.deepEqual([second.exit, second.error?.reason], [1, 'conflict']);
    assert.match(second.error?.message ?? '', /has an agent already, of ak run 20/);
    const resumed = await kit.resumeRun(run, { retry: true });
    assert.match(resumed.refused.join(), /^An agent of ak run \(20\S+\) is at work in lane slow; stop it/);
    await resumed.atRest;
    first.child.kill('SIGTERM');
    assert.equal(answerOf(await first.ended).exit, 5);
    world.answer({});
    assert.equal((await world.run(['claude', '@other', '--lane', 'slow', '--', 'x'])).exit, 0);
  });

  it('is a lane made by hand, which nobody takes away or judges while its agent works', async () => {
    world.write('agentkit.yaml', 'version: 1\ngate:\n  - { name: check, run: sh check.sh }\n');
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'gate');
    const kit = await world.kit('editor');
    const [made] = await kit.lanes.create(['hand']);
    const path = made?.path ?? '';
    assert.equal(made?.state, 'open', made?.why_not.join());
    world.answer({
      during: `fs.writeFileSync('hand.txt', 'work'); process.once('SIGTERM', () => process.exit(1)); setInterval(() => {}, 1000);`,
    });
    const agent = world.begin(['run', 'claude', '@work', '--json', '--lane', 'hand', '--', 'x']);
    await poll('the agent', 20_000, () => existsSync(join(path, 'hand.txt')) || undefined);
    for (const ask of ['gate', 'discard'] as const) {
      const refused = await kit.request('manual', { do: ask, lane: 'hand' });
      assert.deepEqual([ask, refused.ok], [ask, false]);
      assert.match(refused.message, /An agent of ak run \(20\S+\) is at work in lane hand; stop it/);
    }
    assert.match(
      (await kit.lanes.previewDiscard('hand')).why_not.join(),
      /is at work in lane hand|Process \d+/,
    );
    assert.ok(existsSync(join(path, 'hand.txt')));
    agent.child.kill('SIGTERM');
    assert.equal(answerOf(await agent.ended).exit, 5);
    const gate = await kit.request('manual', { do: 'gate', lane: 'hand' });
    assert.ok(gate.ok, gate.message);
    await poll('the gate', 20_000, async () =>
      (await kit.findLane('hand')).state === 'ready' ? true : undefined,
    );
    assert.deepEqual((await kit.findLane('hand')).changes.files, 1);
    assert.ok((await kit.lanes.discard('hand')).ok);
    assert.equal(existsSync(path), false);
  });

  it('is trusted in the settings of the account only where the person says so, by its real path', async () => {
    const state = join(world.profile('work'), '.claude.json');
    const trusted = () =>
      existsSync(state) && readFileSync(state, 'utf8').includes(JSON.stringify(world.repo));
    await world.run(['claude', '@work', '--', 'x']);
    assert.equal(trusted(), false);
    for (const mark of ['AGENTKIT_ATTEMPT', 'CLAUDECODE']) {
      const env = { ...world.environment, [mark]: '1' };
      const refused = await world.run(['claude', '@work', '--trust-cwd', '--', 'x'], { env });
      assert.deepEqual([refused.exit, refused.error?.reason], [6, 'refused'], mark);
      assert.match(refused.error?.message ?? '', /only you can have a folder trusted: do it in a terminal/);
      assert.equal(trusted(), false, mark);
      assert.equal((await world.run(['claude', '@work', '--', 'x'], { env })).exit, 0, mark);
    }
    const { err } = await world.ak(['run', 'claude', '@work', '--trust-cwd', '--', 'x']);
    assert.match(err, /repo is trusted in the settings of claude\/@work/);
    assert.equal(trusted(), true);
    assert.equal(existsSync(join(world.profile('other'), '.claude.json')), false);
    const demo = await world.ak(['run', 'demo', '@one', '--trust-cwd', '--', 'Take a note']);
    assert.match(demo.err, /does not ask whether a folder is trusted/);
    assert.equal(demo.code, 0);
  });
});
