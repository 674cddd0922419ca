import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';
import { runGit } from '../git/tempRepository.ts';
import { poll } from '../process/stepFixture.ts';

describe('a merged lane that is cleaned up', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let lanes: Map<string, LaneView>;

  before(async () => {
    world = new DemoWorld(['one']);
    const gate = [{ name: 'check', run: 'true' }];
    const teardown = ['case "$PWD" in */away) exit 3 ;; esac'];
    world.write('agentkit.yaml', JSON.stringify({ version: 1, gate, worktree: { teardown } }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
    const made = await kit.lanes.create(['staged', 'plain', 'amended', 'bisected', 'away']);
    lanes = new Map(made.map((lane) => [lane.lane, lane]));
    for (const { lane } of made) {
      commit(lane, 'work\n', 'commit');
      if (lane === 'amended') commit(lane, 'better\n', 'commit', '--amend');
      assert.ok((await kit.request('manual', { do: 'gate', lane })).ok);
      await poll(`lane ${lane} that is ready`, 60_000, async () =>
        (await kit.findLane(lane)).state === 'ready' ? true : undefined,
      );
      const merged = await kit.request('manual', { do: 'merge', lane });
      assert.ok(merged.ok, merged.message);
    }
  });
  after(() => world.dispose());

  const pathOf = (lane: string, ...below: string[]) => join(lanes.get(lane)!.path!, ...below);
  const clean = (dryRun: boolean) => kit.lanes.clean({ merged: true, dryRun });

  function commit(lane: string, text: string, ...how: string[]): void {
    writeFileSync(pathOf(lane, `${lane}.txt`), text);
    runGit(pathOf(lane), ['add', '.']);
    runGit(pathOf(lane), [...how, '--quiet', '-m', 'work']);
  }

  it('is told the same way before as it goes then, with a rescue of what nothing else has', async () => {
    writeFileSync(pathOf('staged', 'later.txt'), 'staged alone\n');
    runGit(pathOf('staged'), ['add', 'later.txt']);
    const staged = runGit(pathOf('staged'), ['ls-files', '--stage']);
    const early = runGit(pathOf('amended'), ['rev-parse', 'HEAD@{1}']);
    runGit(pathOf('bisected'), ['bisect', 'start']);
    for (const lane of ['staged', 'plain']) rmSync(pathOf(lane), { recursive: true });
    // As on a drive that is not connected.
    const [around, aside] = [dirname(pathOf('away')), join(world.root, 'aside')];
    renameSync(around, aside);
    for (const dryRun of [true, false]) {
      const { removed, kept } = await clean(dryRun);
      assert.deepEqual(removed, []);
      const told = kept.find(({ lane }) => lane === 'away')!.reasons.join();
      assert.match(told, /missing as a whole.*mkdir -p/);
      assert.doesNotMatch(told, /failed/);
    }
    renameSync(aside, around);

    const dry = await clean(true);
    const { removed, kept } = await clean(false);
    assert.deepEqual([dry.kept, kept], [[], []]);
    const names = (all: typeof removed) => all.map(({ lane }) => lane);
    assert.deepEqual(names(dry.removed), [...lanes.keys()]);
    assert.deepEqual(names(removed), [...lanes.keys()]);
    const rescues = new Map(removed.map(({ lane, rescue }) => [lane, rescue]));
    assert.deepEqual([rescues.get('plain'), rescues.get('away')], [null, null], 'it had nothing of its own');
    assert.ok(rescues.get('bisected'), 'an operation that was under way was not kept');
    for (const lane of lanes.keys()) assert.ok(!existsSync(pathOf(lane)));

    const warned = removed.filter(({ warnings }) => warnings.length > 0);
    assert.deepEqual(names(warned), ['away']);
    assert.match(warned[0]!.warnings.join(), /teardown .* failed with exit 3/);

    const back = await kit.lanes.restore(rescues.get('staged')!);
    assert.equal(runGit(back.path!, ['ls-files', '--stage']), staged);
    const heads = world.git('rev-list', rescues.get('amended')!).split('\n');
    assert.ok(heads.includes(early), 'what was amended is in no rescue');
  });
});
