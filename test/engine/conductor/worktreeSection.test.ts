import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld, writes } from './demoWorld.ts';

describe('what agentkit.yaml gives a lane', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
    world.write('.gitignore', '.env\nmade-*\n');
    world.write('.env', 'A=1\n');
  });
  afterEach(() => world.dispose());

  function settle(...lines: string[]): void {
    world.write('agentkit.yaml', ['version: 1', 'worktree:', ...lines, ''].join('\n'));
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'settings');
  }
  const plan = () => world.plan([{ id: 'good', steps: [writes('good.txt')] }]);

  it('is there before the agent: its folder, copies, ports and setup, and it merges from there', async () => {
    settle(
      '  root: ../else where',
      '  copy: [.env]',
      '  setup: ["cat .env > made-by-setup", "echo $PORT >> made-by-setup"]',
      '  ports: { PORT: 23000-23900 }',
    );
    const kit = await world.kit('editor');
    const elsewhere = join(world.root, 'else where');
    assert.deepEqual((await kit.previewPlan({ text: plan() })).lanes, { root: elsewhere, warnings: [] });
    const { run, atRest } = await kit.startRun({ text: plan() });
    const [lane] = (await atRest).lanes;
    assert.deepEqual([lane?.state, lane?.path], ['ready', join(elsewhere, 'good')], lane?.why_not.join());
    assert.match(readFileSync(join(elsewhere, 'good', 'made-by-setup'), 'utf8'), /^A=1\n23\d\d\d\n$/);
    assert.equal(world.git('log', '-1', '--format=', '--name-only', 'lane/good'), 'good.txt');
    const answer = await kit.request(run, { do: 'merge', lane: 'good' });
    assert.ok(answer.ok, answer.message);
    assert.ok(existsSync(join(elsewhere, '.merge-main')), 'the merge is judged beside the lanes');
    assert.equal(existsSync(`${world.repo}-lanes`), false);
  });

  it('tells a folder that cannot be used, and takes the default', async () => {
    settle('  root: lanes');
    const kit = await world.kit();
    const { lanes } = await kit.previewPlan({ text: plan() });
    assert.equal(lanes?.root, `${world.repo}-lanes`);
    assert.match(
      lanes?.warnings.join() ?? '',
      /not to worktree\.root of agentkit\.yaml: .*git does not ignore it/,
    );
    const [lane] = (await (await kit.startRun({ text: plan() })).atRest).lanes;
    assert.deepEqual([lane?.state, lane?.path], ['ready', join(`${world.repo}-lanes`, 'good')]);
  });

  it('counts for a lane made by hand too', async () => {
    settle('  root: ../else where', '  copy: [.env]');
    const kit = await world.kit('editor');
    const [lane] = await kit.lanes.create(['hand']);
    const path = join(world.root, 'else where', 'hand');
    assert.deepEqual([lane?.state, lane?.path], ['open', path], lane?.why_not.join());
    assert.equal(readFileSync(join(path, '.env'), 'utf8'), 'A=1\n');
    await assert.rejects(kit.lanes.create(['hand']), { reason: 'conflict' });
    const gone = await kit.lanes.discard('hand');
    assert.equal(existsSync(path), false, JSON.stringify(gone));
    const back = await kit.lanes.restore('hand');
    assert.deepEqual([back.state, back.path, back.warnings], ['open', path, []], back.why_not.join());
  });

  it('shows with a lane by hand what is unexpected of its folder and of its base, and nothing where nothing is', async () => {
    settle('  root: lanes');
    const kit = await world.kit('editor');
    const [odd] = await kit.lanes.create(['odd']);
    assert.deepEqual([odd?.state, odd?.path], ['open', join(`${world.repo}-lanes`, 'odd')]);
    assert.match(odd?.warnings.join() ?? '', /^Lanes go to .*, not to worktree\.root of agentkit\.yaml/);
    settle('  root: ../else where');
    world.git('remote', 'add', 'origin', join(world.root, 'no such repository'));
    world.git('config', 'branch.main.remote', 'origin');
    world.git('config', 'branch.main.merge', 'refs/heads/main');
    const [alone] = await kit.lanes.create(['alone'], { base: 'main' });
    assert.equal(alone?.state, 'open', alone?.why_not.join());
    assert.match(alone.warnings.join(), /^Could not fetch main from origin; origin\/main was never fetched/);
    world.git('remote', 'remove', 'origin');
    const [usual] = await kit.lanes.create(['usual'], { base: 'main' });
    assert.deepEqual([usual?.state, usual?.warnings], ['open', []]);
  });

  it('keeps the agent from beginning where a command of the setup fails, and says which and why', async () => {
    settle('  setup: ["echo no such package >&2; exit 3", "touch made-too-late"]');
    const kit = await world.kit('editor');
    const [lane] = (await (await kit.startRun({ text: plan() })).atRest).lanes;
    assert.deepEqual([lane?.state, lane?.attempts], ['blocked', []]);
    assert.match(lane?.why_not.join() ?? '', /setup `echo .*` failed with exit 3: no such package/);
    assert.equal(existsSync(join(`${world.repo}-lanes`, 'good', 'made-too-late')), false);
  });
});
