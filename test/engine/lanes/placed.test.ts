import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';

/** A copied file and a linked folder that git does not ignore, and a setup that fails the first time in each lane. */
describe('what was placed in a lane', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    world.write('.gitignore', 'runs.log\n*.secret\n');
    world.write('app.secret', 'KEY=1\n');
    world.write('.env', 'KEY=of the person\n');
    world.write('shared/lib.txt', 'of all\n');
    const setup = ['echo "$AGENTKIT_LANE" >> runs.log; test ! -e .flaky || test "$(wc -l < runs.log)" -gt 1'];
    const gate = [{ name: 'check', run: 'true' }];
    const worktree = { copy: ['.env', '.flaky', 'app.secret'], link: ['shared'], setup };
    world.write('agentkit.yaml', JSON.stringify({ version: 1, gate, worktree }));
    world.git('add', '.gitignore', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  async function untilEnded(id: string, attempts: number): Promise<LaneView> {
    return poll(`the end of ${id}`, 60_000, async () => {
      const lane = await kit.findLane(id);
      const isOver = ['ready', 'failed', 'blocked', 'interrupted'].includes(lane.state);
      return isOver && lane.attempts.length === attempts ? lane : undefined;
    });
  }

  const committed = (lane: string) =>
    world.git('diff', '--name-only', `main...lane/${lane}`).split('\n').filter(Boolean);

  it('stays no work of the lane when an agent has changed it and the lane is made again for the next one', async () => {
    const steps = [writes('job.txt'), writes('.env', 'KEY=of the agent\n')];
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps }]) });
    const [first] = (await atRest).lanes;
    assert.equal(first?.state, 'ready', first?.why_not.join(' '));
    const more = '```demo\n- write: { path: job.txt, content: told }\n```\n';
    const answer = await kit.lanes.tell('job', more);
    assert.ok(answer.ok, answer.message);
    const lane = await untilEnded('job', 2);
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
    assert.deepEqual(committed('job'), ['job.txt']);
    assert.equal(readFileSync(join(lane.path!, '.env'), 'utf8'), 'KEY=of the agent\n');
    const { rescue } = await kit.lanes.discard('job');
    const back = await kit.lanes.restore(rescue!);
    assert.equal(readFileSync(join(back.path!, '.env'), 'utf8'), 'KEY=of the agent\n', 'but it is not lost');
  });

  it('is left out of a rescue as it is, and is work once the lane has something else in its place', async () => {
    const [lane] = await kit.lanes.create(['hand']);
    const path = lane!.path!;
    assert.ok(lstatSync(join(path, 'shared')).isSymbolicLink());
    rmSync(join(path, 'shared'));
    mkdirSync(join(path, 'shared'));
    writeFileSync(join(path, 'shared/own.txt'), 'work\n');
    assert.ok((await kit.request('manual', { do: 'gate', lane: 'hand' })).ok);
    const after = await untilEnded('hand', 0);
    assert.equal(after.state, 'ready', after.why_not.join(' '));
    assert.deepEqual(committed('hand'), ['shared/own.txt']);
    const [plain] = await kit.lanes.create(['plain']);
    writeFileSync(join(plain!.path!, 'notes.txt'), 'work\n');
    const answer = await kit.lanes.discard('plain');
    assert.ok(answer.ok, answer.message);
    const rescued = (await kit.lanes.rescues()).find(({ ref }) => ref === answer.rescue);
    assert.equal(rescued?.files, 1);
    const kept = world.git('ls-tree', '-r', '--name-only', answer.rescue!, 'worktree').split('\n');
    assert.ok(kept.includes('worktree/notes.txt') && !kept.includes('worktree/.env'), kept.join());
  });

  it('is there for a setup that runs again where it failed before, and only then comes the agent', async () => {
    world.write('.flaky', '');
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'flaky', steps: [writes('flaky.txt')] }]),
    });
    const [blocked] = (await atRest).lanes;
    assert.deepEqual([blocked?.state, blocked?.attempts], ['blocked', []]);
    assert.ok((await kit.request(run, { do: 'retry', lane: 'flaky' })).ok);
    const lane = await untilEnded('flaky', 1);
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
    assert.equal(readFileSync(join(lane.path!, 'runs.log'), 'utf8'), 'flaky\nflaky\n');
    assert.ok(existsSync(join(lane.path!, 'flaky.txt')));
    rmSync(join(world.repo, '.flaky'));
  });

  it('is looked after where it came from, though git ignores it there', async () => {
    const ask = { ask: { for: 'question', text: 'Which?', answer: 'answer' } };
    const { atRest } = await kit.startRun({
      text: world.plan([{ id: 'asks', steps: [ask, writes('asks.txt')] }]),
    });
    const { path } = await poll('an agent that asks', 60_000, async () => {
      const lane = await kit.findLane('asks');
      return lane.state === 'waiting' ? lane : undefined;
    });
    world.write('app.secret', 'KEY=2\n');
    writeFileSync(join(path!, 'answer'), '');
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'failed');
    assert.match(lane.why_not.join(' '), /outside of it: app\.secret in the main checkout was changed/);
  });
});
