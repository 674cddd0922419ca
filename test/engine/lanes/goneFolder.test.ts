import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { runGit } from '../git/tempRepository.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('a lane whose folder somebody deleted', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one', 'two']);
    world.setUsage('two', 50);
    world.write('.gitignore', 'installed\n');
    world.write('agentkit.yaml', stringify({ version: 1, worktree: { setup: ['touch installed'] } }));
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  /** Once nothing of it is under way. */
  async function settled(lane: string): Promise<LaneView> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const view = await kit.findLane(lane);
      if (!['queued', 'preparing', 'running', 'verifying'].includes(view.state)) return view;
      assert.ok(performance.now() < deadline, `${lane} is ${view.state}: ${view.why_not.join(' ')}`);
      await pause(50);
    }
  }

  it('says so in every view, and no more once the folder is back', async () => {
    const [lane] = await kit.lanes.create(['seen']);
    const { path } = lane!;
    assert.equal(lane!.folder_gone, false);
    renameSync(path!, join(world.root, 'aside'));
    const gone = await kit.findLane('seen');
    assert.deepEqual([gone.folder_gone, gone.state], [true, 'open']);
    assert.match(gone.warnings.join(), /is gone\. If it lies on a drive.*ak lane retry seen/);
    const listed = (await kit.listRuns()).runs.flatMap(({ lanes }) => lanes);
    assert.ok(listed.find((each) => each.lane === 'seen')?.folder_gone);
    renameSync(join(world.root, 'aside'), path!);
    const back = await kit.findLane('seen');
    assert.deepEqual([back.folder_gone, back.warnings], [false, []]);
    const refused = await kit.request('manual', { do: 'retry', lane: 'seen' });
    assert.match(refused.message, /was made by hand; work in it/, 'one that is there is not made again');
  });

  it('is made again by hand from its branch, set up anew; what git still knew is restored byte for byte', async () => {
    const [{ path } = { path: null }] = await kit.lanes.create(['mine']);
    writeFileSync(join(path!, 'kept.txt'), 'committed\n');
    runGit(path!, ['add', 'kept.txt']);
    runGit(path!, ['commit', '--quiet', '-m', 'work']);
    writeFileSync(join(path!, 'app.txt'), 'staged only\r\n');
    runGit(path!, ['add', 'app.txt']);
    const staged = runGit(path!, ['ls-files', '--stage']);
    rmSync(path!, { recursive: true });
    const answer = await kit.request('manual', { do: 'retry', lane: 'mine' });
    assert.ok(answer.ok, answer.message);
    const again = await settled('mine');
    assert.deepEqual(
      [again.state, again.folder_gone, again.path],
      ['open', false, path],
      again.why_not.join(),
    );
    assert.equal(readFileSync(join(path!, 'kept.txt'), 'utf8'), 'committed\n');
    assert.ok(existsSync(join(path!, 'installed')), 'its setup ran again');
    assert.equal(again.rescues.length, 1);
    assert.match(again.warnings.join(), /made again; what git still knew of it is in refs/);
    const back = await kit.lanes.restore(again.rescue!);
    assert.equal(back.state, 'open', back.why_not.join());
    assert.equal(runGit(back.path!, ['ls-files', '--stage']), staged);
  });

  it('goes on in its run when it is tried again, with what its branch holds', async () => {
    const steps = [writes('job.txt'), { commit: 'work' }, { exit: 1 }];
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps }]) });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'failed', lane?.why_not.join());
    rmSync(lane.path!, { recursive: true });
    assert.match((await kit.findLane('job')).warnings.join(), /ak lane retry job/);
    const answer = await kit.request(run, { do: 'retry', lane: 'job' });
    assert.ok(answer.ok, answer.message);
    const after = await settled('job');
    assert.deepEqual([after.state, after.attempts.length], ['failed', 2], after.why_not.join());
    assert.equal(readFileSync(join(after.path!, 'job.txt'), 'utf8'), 'job.txt\n');
    assert.ok(existsSync(join(after.path!, 'installed')));
  });

  it('begins anew at its limit instead of being blocked', async () => {
    const [hook, once] = [join(world.repo, '.git/hooks/post-commit'), join(world.root, 'once')];
    writeFileSync(hook, `#!/bin/sh\n[ -e "${once}" ] || { : > "${once}"; rm -rf "$PWD"; }\n`, {
      mode: 0o755,
    });
    const steps = [
      writes('anew.txt'),
      { commit: 'first' },
      { limit: { window: '5h', resets_in_s: 3600, accounts: ['@one'] } },
    ];
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'anew', steps }]) });
    const [lane] = (await atRest).lanes;
    rmSync(hook);
    assert.ok(existsSync(once));
    assert.equal(lane?.state, 'ready', lane?.why_not.join(' '));
    assert.equal(lane.attempts.length, 2);
    assert.match(lane.rescues.flatMap(({ not_kept }) => not_kept).join(), /folder was gone/);
    assert.equal(readFileSync(join(lane.path!, 'anew.txt'), 'utf8'), 'anew.txt\n');
  });

  it('is blocked with the cure where the folder around the lanes is missing, and made again when that is back', async () => {
    const [{ path } = { path: null }] = await kit.lanes.create(['drive']);
    const parent = dirname(path!);
    renameSync(parent, `${parent}.unplugged`);
    await kit.request('manual', { do: 'retry', lane: 'drive' });
    const blocked = await settled('drive');
    assert.equal(blocked.state, 'blocked');
    assert.match(blocked.why_not.join(' '), /missing as a whole.*mkdir -p .*ak lane retry drive/);
    assert.ok(!existsSync(parent));
    mkdirSync(parent);
    await kit.request('manual', { do: 'retry', lane: 'drive' });
    assert.equal((await settled('drive')).state, 'open');
    assert.ok(existsSync(path!));
  });
});
