import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('a lane in which a person has committed', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
  });
  after(() => world.dispose());

  /** Commits a file in a lane's worktree; its new head. */
  function commit({ path }: LaneView, file: string): string {
    writeFileSync(join(path!, file), 'of a person\n');
    world.git('-C', path!, 'add', file);
    world.git('-C', path!, 'commit', '--quiet', '-m', `add ${file}`);
    return world.git('-C', path!, 'rev-parse', 'HEAD');
  }

  const journal = async (run: string) =>
    readFileSync(join((await kit.readRun(run)).folder, 'journal.jsonl'), 'utf8');

  it('is told of with those commits before its gate has run', async () => {
    const [made] = await kit.lanes.create(['hand'], { paths: ['hand.txt'] });
    const before = await kit.findLane('hand');
    assert.deepEqual([before.head, before.changes.commits], [made!.base!.sha, 0]);
    assert.deepEqual(await kit.changedFiles('hand'), []);
    const written = await journal('manual');
    commit(made!, 'hand.txt');
    const head = commit(made!, 'other.txt');
    const lane = await kit.findLane('hand');
    assert.equal(lane.state, 'open');
    assert.equal(lane.head, head);
    assert.deepEqual(lane.changes, {
      files: 2,
      insertions: 2,
      deletions: 0,
      commits: 2,
      outside_paths: ['other.txt'],
    });
    assert.deepEqual(
      (await kit.changedFiles('hand')).map(({ path, status }) => `${status} ${path}`),
      ['added hand.txt', 'added other.txt'],
    );
    const plan = await kit.planMerge('hand');
    assert.equal(plan.head, head);
    assert.deepEqual([plan.commits.length, plan.files], [2, ['hand.txt', 'other.txt']]);
    assert.match(plan.whyNot.join(), /is open/, 'its gate has not run');
    assert.equal(await journal('manual'), written, 'a look writes nothing');
  });

  it('shows them once it is restored, and what its journal says where its folder is gone', async () => {
    const [made] = await kit.lanes.create(['kept']);
    const head = commit(made!, 'kept.txt');
    const answer = await kit.lanes.discard('kept');
    assert.ok(answer.ok, answer.message);
    const back = await kit.lanes.restore('kept');
    assert.equal(back.state, 'open', back.why_not.join());
    assert.deepEqual([back.head, back.changes.commits, back.changes.files], [head, 1, 1]);
    assert.equal((await kit.changedFiles('kept')).length, 1);
    renameSync(back.path!, `${back.path!}-away`);
    const gone = await kit.findLane('kept');
    assert.deepEqual([gone.folder_gone, gone.head], [true, made!.base!.sha]);
    assert.deepEqual(await kit.changedFiles('kept'), []);
    renameSync(`${back.path!}-away`, back.path!);
  });

  it('tells what its journal says where git cannot read its folder', async () => {
    const [made] = await kit.lanes.create(['torn']);
    commit(made!, 'torn.txt');
    const file = join(made!.path!, '.git');
    const link = readFileSync(file, 'utf8');
    writeFileSync(file, 'gitdir: /nowhere/.git/worktrees/torn\n');
    assert.equal((await kit.findLane('torn')).head, made!.base!.sha);
    writeFileSync(file, link);
    assert.equal((await kit.findLane('torn')).changes.commits, 1);
  });

  it('is not mergeable where its gate passed on another commit, and is while it did not move', async () => {
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id: 'planned', steps: [writes('planned.txt')], paths: ['*.txt'] }]),
    });
    await atRest;
    const lane = await kit.findLane('planned');
    assert.deepEqual([lane.state, lane.mergeable, lane.why_not], ['ready', true, []]);
    const written = await journal(run);
    const head = commit(lane, 'later.txt');
    const moved = await kit.findLane('planned');
    assert.deepEqual(
      [moved.state, moved.mergeable, moved.head, moved.changes.commits],
      ['ready', false, head, 2],
    );
    assert.deepEqual(moved.why_not, (await kit.planMerge('planned')).whyNot);
    assert.match(moved.why_not.join(), /planned moved to .* run the gate again/);
    assert.equal(await journal(run), written);
    world.git('-C', lane.path!, 'reset', '--quiet', '--hard', lane.head!);
    const back = await kit.findLane('planned');
    assert.deepEqual([back.mergeable, back.why_not, back.changes.commits], [true, [], 1]);
  });
});
