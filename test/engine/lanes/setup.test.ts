import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('what the repository gives its lanes', function () {
  this.timeout(180_000);
  let world: DemoWorld;

  beforeEach(() => {
    world = new DemoWorld(['one']);
    world.write('.gitignore', 'port.txt\n');
    world.write('.env', 'KEY=of the person\n');
    world.git('add', '.gitignore');
  });
  afterEach(() => world.dispose());

  function declare(worktree: object): void {
    world.write('agentkit.yaml', stringify({ version: 1, worktree }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
  }

  it('is there before the agent, is no work of it, and is torn down before the lane goes', async () => {
    const torn = join(world.root, 'torn');
    declare({
      copy: ['.env'],
      setup: ['echo "$PORT" > port.txt', 'test -f .env'],
      teardown: [`cat port.txt > "${torn}"`],
      ports: { PORT: '45100-45180' },
    });
    const kit = await world.kit('editor');
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'job', steps: [writes('job.txt')] }], {
        gate: [{ name: 'check', run: 'test "$(cat port.txt)" = "$PORT"' }],
      }),
    });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    const port = String(lane.ports['PORT']);
    assert.match(port, /^451\d\d$/);
    assert.equal(readFileSync(join(lane.path!, '.env'), 'utf8'), 'KEY=of the person\n');
    assert.equal(world.git('show', '--name-only', '--format=', 'lane/job'), 'job.txt');

    const preview = await kit.lanes.previewDiscard('job');
    assert.deepEqual([preview.untracked, preview.why_not], [[], []]);
    assert.equal(preview.ignored.files, 1);
    const answer = await kit.lanes.discard('job');
    assert.ok(answer.ok, answer.message);
    assert.equal(readFileSync(torn, 'utf8'), `${port}\n`);
    const [gone] = (await kit.readRun(run)).lanes;
    assert.ok(!existsSync(lane.path!));
    assert.equal(gone?.rescues.length, 1, 'a teardown that changes nothing needs no second rescue');
  });

  it('keeps the agent from starting when a command of it fails, and tells the last of what that printed', async () => {
    declare({ setup: ['true', 'echo no such luck >&2; exit 3', 'touch never'] });
    const kit = await world.kit('editor');
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]) });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'blocked');
    assert.match(lane.why_not.join(' '), /exit 3: no such luck/);
    assert.equal(lane.attempts.length, 0);
    assert.ok(!existsSync(join(lane.path!, 'never')));
  });

  it('does not run for ak before the person has allowed it', async () => {
    declare({ setup: ['true'] });
    const kit = await world.kit('ak');
    await assert.rejects(kit.lanes.create(['hand']), { reason: 'refused', message: /ak trust add/ });
    assert.deepEqual((await kit.listRuns()).runs, []);
    // Where the editor trusts the workspace it does.
    const [hand] = await (await world.kit('editor')).lanes.create(['hand']);
    assert.equal(hand?.state, 'open', hand?.why_not.join(' '));
    rmSync(join(world.repo, 'agentkit.yaml'));
  });

  it('tells of a teardown that failed, and takes the lane away all the same', async () => {
    declare({ teardown: ['echo still up; exit 1'] });
    const kit = await world.kit('editor');
    const [hand] = await kit.lanes.create(['hand']);
    const answer = await kit.lanes.discard('hand');
    assert.ok(answer.ok, answer.message);
    assert.match(answer.message, /teardown `echo still up; exit 1` failed with exit 1: still up/);
    assert.ok(!existsSync(hand!.path!));
  });
});
