import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { DemoWorld, writes, type JobOf } from '../conductor/demoWorld.ts';

describe('names of lanes', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kit: AgentKit;
  beforeEach(async () => {
    world = new DemoWorld();
    kit = await world.kit();
  });
  afterEach(() => world.dispose());

  const lanes = () => join(world.root, 'repo-lanes');

  function plan(content: string, more: Partial<JobOf> = {}): string {
    return world.plan([{ id: 'api', steps: [writes('api.txt', content)], ...more }]);
  }

  async function runOnce(text: string): Promise<LaneView> {
    assert.deepEqual((await kit.previewPlan({ text })).whyNot, []);
    const { atRest } = await kit.startRun({ text });
    const [lane] = (await atRest).lanes;
    assert.ok(lane);
    return lane;
  }

  async function merge({ run, lane }: LaneView): Promise<void> {
    const { from } = await kit.planMerge(`${run}/api`);
    const answer = await kit.request(run, { do: 'merge', lane, expect: from });
    assert.equal(answer.ok, true, answer.message);
  }

  async function whyNot(): Promise<string> {
    const { whyNot, refusal } = await kit.previewPlan({ text: plan('x\n') });
    assert.equal(refusal, whyNot.length > 0 ? 'refused' : null);
    return whyNot.join('\n');
  }

  it('lets a plan run again after its lane was merged, and merges that too', async () => {
    const first = await runOnce(plan('one\n'));
    assert.deepEqual([first.lane, first.branch, first.state], ['api', 'lane/api', 'ready']);
    await merge(first);
    const second = await runOnce(plan('two\n'));
    assert.equal(second.lane, `${second.run}/api`);
    assert.deepEqual([second.branch, second.state], [`lane/${second.run}/api`, 'ready']);
    await merge(second);
    assert.equal(world.git('show', 'main:api.txt'), 'two');
    assert.equal(existsSync(first.path ?? ''), true);
  });

  it('lets a plan run again while its first lane waits for review', async () => {
    const first = await runOnce(plan('one\n'));
    const second = await runOnce(plan('two\n'));
    assert.equal(second.lane, `${second.run}/api`);
    assert.equal((await kit.findLane('api')).run, first.run);
    assert.equal((await kit.findLane(`${first.run}/api`)).run, first.run);
    assert.equal((await kit.findLane(`${second.run}/api`)).run, second.run);
  });

  it('uses the name again once worktree and branch are gone, or all of the branch is merged', async () => {
    const first = await runOnce(plan('one\n'));
    await merge(first);
    world.git('worktree', 'remove', '--force', '--force', first.path ?? '');
    assert.equal((await runOnce(plan('two\n'))).branch, 'lane/api');
  });

  it("finds the newest lane of a job where no lane has the job's name", async () => {
    mkdirSync(lanes());
    const first = await runOnce(plan('one\n'));
    await merge(first);
    const second = await runOnce(plan('two\n'));
    rmSync(join(world.repo, '.git', 'agentkit', 'runs', first.run), { recursive: true });
    assert.equal((await kit.findLane('api')).run, second.run);
    await assert.rejects(kit.findLane('ap'), /There is no lane "ap"; there are/);
  });

  it('refuses a plan whose branch is not ours, until it is renamed', async () => {
    world.git('branch', 'lane/api');
    assert.match(await whyNot(), /^api: The branch lane\/api exists .*: git branch -m lane\/api NEW-NAME$/);
    await assert.rejects(kit.startRun({ text: plan('x\n') }), /git branch -m lane\/api/);
    assert.deepEqual((await kit.listRuns()).runs, []);
    world.git('branch', '-m', 'lane/api', 'mine');
    assert.equal(await whyNot(), '');
  });

  it('refuses a plan where a branch "lane" leaves no room for lanes', async () => {
    world.git('branch', 'lane');
    assert.match(await whyNot(), /cannot be made beside the branch lane:.*git branch -m lane NEW-NAME/);
    world.git('branch', '-d', 'lane');
    assert.equal(await whyNot(), '');
  });

  it('refuses a plan whose folder is not ours, and leaves the folder alone', async () => {
    mkdirSync(join(lanes(), 'api'), { recursive: true });
    writeFileSync(join(lanes(), 'api', 'mine.txt'), 'mine');
    assert.match(await whyNot(), /repo-lanes\/api exists .*move it away/);
    assert.equal(readFileSync(join(lanes(), 'api', 'mine.txt'), 'utf8'), 'mine');
    rmSync(join(lanes(), 'api'), { recursive: true });
    assert.equal(await whyNot(), '');
  });

  it("refuses a plan whose folder is a worktree of the user's own, until it is moved as said", async () => {
    const path = join(lanes(), 'api');
    world.git('worktree', 'add', '--quiet', path, '-b', 'own');
    assert.match(await whyNot(), /api is a worktree that AgentKit did not make; .*git worktree move/);
    world.git('worktree', 'move', path, join(world.root, 'elsewhere'));
    assert.equal(await whyNot(), '');
  });

  it('gives two runs that start in the same moment lanes of their own', async () => {
    const other = await world.kit();
    const started = await Promise.all([
      kit.startRun({ text: plan('one\n') }),
      other.startRun({ text: plan('two\n') }),
    ]);
    const views = await Promise.all(started.map(({ atRest }) => atRest));
    const found = views.map(({ lanes: [lane] }) => [lane?.state, lane?.lane === 'api']);
    assert.deepEqual(found.toSorted(), [
      ['ready', false],
      ['ready', true],
    ]);
  });
});
