import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { DemoWorld, writes, type JobOf } from './demoWorld.ts';

/** What is refused, and why; `mainJob.test.ts` shows the same acts allowed. */
describe('what a lane does not get through', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  async function laneOf(job: Partial<JobOf>, more: object = {}): Promise<LaneView> {
    const kit = await world.kit();
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [], ...job }], more) });
    const [lane] = (await atRest).lanes;
    assert.ok(lane);
    return lane;
  }

  it('fails a lane whose agent exits 1, and keeps what it wrote', async () => {
    const lane = await laneOf({ steps: [writes('job.txt'), { exit: 1 }] });
    assert.equal(lane.state, 'failed');
    assert.equal(lane.attempts[0]?.exit, 1);
    assert.match(lane.why_not.join(), /exit/i);
    assert.equal(readFileSync(join(lane.path ?? '', 'job.txt'), 'utf8'), 'job.txt\n');
  });

  it('fails a lane whose agent changed nothing, unless the job says so', async () => {
    const lane = await laneOf({ steps: [{ say: 'All done!' }] });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(), /changed nothing/);
    assert.equal(lane.gate.status, 'none');
    await world.dispose();
    world = new DemoWorld();
    assert.equal((await laneOf({ steps: [{ say: 'Looked.' }], expects: 'none' })).state, 'ready');
  });

  it('fails a lane that wrote outside its paths, and commits nothing of it', async () => {
    const lane = await laneOf({ steps: [writes('job.txt'), writes('other.txt')] });
    assert.equal(lane.state, 'failed');
    assert.deepEqual(lane.changes.outside_paths, ['other.txt']);
    assert.match(lane.why_not.join(), /outside its paths.*other\.txt/);
    assert.equal(lane.changes.commits, 0);
    assert.ok(existsSync(join(lane.path ?? '', 'other.txt')));
  });

  it('fails a lane whose agent committed outside its paths', async () => {
    const lane = await laneOf({ steps: [writes('other.txt'), { commit: 'sneak' }] });
    assert.equal(lane.state, 'failed');
    assert.deepEqual(lane.changes.outside_paths, ['other.txt']);
  });

  it('does not commit what looks like a secret', async () => {
    const lane = await laneOf({ steps: [writes('job.txt', `key = ghp_${'a1B2'.repeat(9)}\n`)] });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(), /secret.*job\.txt/);
    assert.doesNotMatch(JSON.stringify(lane), /ghp_a1B2/);
  });

  it('fails a lane whose gate command does not exist', async () => {
    const gate = [{ name: 'check', run: 'no-such-command-here' }];
    const lane = await laneOf({ steps: [writes('job.txt')] }, { gate });
    assert.equal(lane.state, 'failed');
    assert.match(lane.gate.checks[0]?.message ?? '', /no-such-command-here/);
  });

  it('ends a gate command that never ends', async () => {
    const gate = [{ name: 'check', run: 'tail -f /dev/null', timeout: 1 }];
    const lane = await laneOf({ steps: [writes('job.txt')] }, { gate });
    assert.equal(lane.state, 'failed');
    assert.equal(lane.gate.status, 'timeout');
  });

  it('fails a gate that changes tracked files', async () => {
    const gate = [{ name: 'check', run: 'echo changed >> app.txt' }];
    const lane = await laneOf({ steps: [writes('job.txt')] }, { gate });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(), /changed tracked files: app\.txt/);
  });

  it('takes the time out of an agent that does not end', async () => {
    const lane = await laneOf({ steps: [{ wait: 60 }], timeout: 1 });
    assert.equal(lane.state, 'failed');
    assert.equal(lane.attempts[0]?.outcome, 'timeout');
  });

  it('blocks a lane whose branch or folder somebody took since the start, and leaves them alone', async () => {
    const kit = await world.kit('editor');
    const after = { depends_on: ['first'] };
    const jobs = [
      { id: 'first', steps: [writes('first.txt')] },
      { id: 'branch', steps: [writes('branch.txt')], ...after },
      { id: 'folder', steps: [writes('folder.txt')], ...after },
      { id: 'free', steps: [writes('free.txt')], ...after },
    ];
    const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
    await atRest;
    world.git('branch', 'lane/branch');
    world.git('commit', '--quiet', '--allow-empty', '-m', 'on');
    const before = world.git('rev-parse', 'lane/branch');
    const folder = join(world.root, 'repo-lanes', 'folder');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    const { from } = await kit.planMerge('first');
    assert.equal((await kit.request(run, { do: 'merge', lane: 'first', expect: from })).ok, true);
    const { lanes } = await (await kit.resumeRun(run)).atRest;
    assert.deepEqual(
      lanes.map(({ state }) => state),
      ['merged', 'blocked', 'blocked', 'ready'],
    );
    assert.match(lanes[1]?.why_not.join() ?? '', /lane\/branch exists.*git branch -m/);
    assert.match(lanes[2]?.why_not.join() ?? '', /repo-lanes\/folder exists.*move it away/);
    assert.equal(world.git('rev-parse', 'lane/branch'), before);
    assert.equal(readFileSync(join(folder, 'mine.txt'), 'utf8'), 'mine');
  });
});

describe('what a plan does not start with', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  async function refusal(text: string): Promise<string> {
    const kit = await world.kit();
    const error: unknown = await kit.startRun({ text }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(error instanceof Error, 'it started');
    assert.deepEqual((await kit.listRuns()).runs, []);
    return error.message;
  }

  it('names line and column of a syntax error', async () => {
    assert.match(await refusal('version: 1\nname: x\njobs: [\n'), /\d+:\d+/);
  });

  it('names a cycle', async () => {
    const jobs = [
      { id: 'a', steps: [], depends_on: ['b'] },
      { id: 'b', steps: [], depends_on: ['a'] },
    ];
    assert.match(await refusal(world.plan(jobs)), /a.*b.*a/);
  });

  it('names an unknown kind', async () => {
    assert.match(await refusal(world.plan([{ id: 'a', steps: [], kind: 'nobody' }])), /nobody/);
  });

  it('names the two globs that overlap', async () => {
    const jobs = [
      { id: 'a', steps: [], paths: ['src/**'] },
      { id: 'b', steps: [], paths: ['src/*.ts'] },
    ];
    assert.match(await refusal(world.plan(jobs)), /src\/\*\*.*src\/\*\.ts/);
  });

  it('names the soonest reset when no account qualifies', async () => {
    for (const name of ['one', 'two', 'three']) world.setUsage(name, 100);
    assert.match(await refusal(world.plan([{ id: 'a', steps: [] }])), /soonest reset is 20\d\d-/);
  });

  it('says that there is no gate', async () => {
    assert.match(
      await refusal(world.plan([{ id: 'a', steps: [] }], { gate: undefined })),
      /No checks were found/,
    );
  });

  it('takes the gate of agentkit.yaml at the base commit', async () => {
    world.write('agentkit.yaml', 'version: 1\ngate:\n  - { name: own, run: "true" }\n');
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'gate');
    const text = world.plan([{ id: 'a', steps: [] }], { gate: undefined });
    const preview = await (await world.kit('editor')).previewPlan({ text });
    assert.equal(preview.gateSource, 'agentkit.yaml');
    assert.deepEqual(preview.whyNot, []);
  });

  it('refuses keys of agentkit.yaml that this version does not do', async () => {
    world.write('agentkit.yaml', 'version: 1\nhooks: { start: npm ci }\n');
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'hooks');
    assert.match(
      await refusal(world.plan([{ id: 'a', steps: [] }], { gate: undefined })),
      /agentkit\.yaml:2:1 unknown key "hooks"/,
    );
  });
});
