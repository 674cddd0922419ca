import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoWorld } from '../conductor/demoWorld.ts';
import { runGit } from '../git/tempRepository.ts';

describe('the clean-up after lost runs', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld(['one']);
  });
  after(() => world.dispose());

  const clean = async () => (await world.kit()).lanes.clean({ merged: false, dryRun: false });
  const entries = () => world.git('worktree', 'list', '--porcelain');

  it('forgets lanes whose folder is gone, unless a run may still need them, and looks whether all is whole', async () => {
    const [gone, here] = await (await world.kit()).lanes.create(['gone', 'here']);
    rmSync(gone!.path!, { recursive: true });
    assert.deepEqual((await clean()).pruned, [], 'its run still works with it');
    const runs = join(world.repo, '.git', 'agentkit', 'runs');
    const journal = join(runs, 'manual', 'journal.jsonl');
    renameSync(journal, `${journal}.aside`);
    writeFileSync(journal, 'nothing that can be read\n');
    assert.deepEqual((await clean()).pruned, [], 'what a damaged run needs is not known');
    rmSync(runs, { recursive: true });
    mkdirSync(runs);
    const dry = await (await world.kit()).lanes.clean({ merged: false, dryRun: true });
    assert.deepEqual([dry.pruned, dry.left, dry.broken], [[gone!.path!], [], []]);
    assert.ok(entries().includes(gone!.path!));
    const { pruned, kept, left, broken } = await clean();
    assert.deepEqual([pruned, left, broken], [[gone!.path!], [], []]);
    assert.deepEqual(
      kept.map(({ path }) => path),
      [here!.path!],
    );
    assert.ok(!entries().includes(gone!.path!));
    assert.ok(existsSync(here!.path!));
  });

  it('rescues what git alone still knows of such a lane, and tells so before', async () => {
    const [lane] = await (await world.kit()).lanes.create(['half']);
    writeFileSync(join(lane!.path!, 'half.txt'), 'staged alone\n');
    runGit(lane!.path!, ['add', 'half.txt']);
    rmSync(lane!.path!, { recursive: true });
    rmSync(join(world.repo, '.git', 'agentkit', 'runs'), { recursive: true });
    const kit = await world.kit('editor');
    const dry = await kit.lanes.clean({ merged: false, dryRun: true });
    const entry = { lane: 'half', run: 'manual', path: lane!.path!, branch: 'kept', left: [], warnings: [] };
    assert.deepEqual([dry.removed, dry.pruned], [[{ ...entry, rescue: null }], []]);
    assert.ok(entries().includes(lane!.path!));
    const [rescue] = (await clean()).removed.map((each) => each.rescue);
    assert.ok(rescue, 'it was not rescued');
    assert.ok(!entries().includes(lane!.path!));
    const back = await kit.lanes.restore(rescue);
    assert.equal(runGit(back.path!, ['cat-file', '-p', ':half.txt']), 'staged alone');
    assert.ok((await kit.lanes.discard(back.lane)).ok);
  });

  it('tells what the repository lacks when something was taken away', async () => {
    const lost = world.git('commit-tree', '-m', 'lost', 'HEAD^{tree}');
    const next = world.git('commit-tree', '-m', 'next', '-p', lost, 'HEAD^{tree}');
    world.git('branch', 'lacks', next);
    const [gone] = await (await world.kit()).lanes.create(['gone-too']);
    rmSync(join(world.repo, '.git', 'objects', lost.slice(0, 2), lost.slice(2)));
    rmSync(gone!.path!, { recursive: true });
    assert.deepEqual((await clean()).broken, []);
    rmSync(join(world.repo, '.git', 'agentkit', 'runs'), { recursive: true });
    const { pruned, broken } = await clean();
    assert.deepEqual(pruned, [gone!.path!]);
    assert.match(broken.join('\n'), new RegExp(`missing commit ${lost}`));
  });

  it('deletes what a killed rescue left beside the runs, and no archive that a rescue names', async () => {
    const kit = await world.kit();
    world.write('.gitignore', '*.cache\n');
    world.git('add', '.gitignore');
    world.git('commit', '--quiet', '-m', 'ignore');
    const [lane] = await kit.lanes.create(['cached']);
    writeFileSync(join(lane!.path!, 'x.cache'), 'ignored\n');
    await kit.lanes.discard('cached');
    const [rescue] = await kit.lanes.rescues();
    const named = rescue!.archive!.file;
    const left = join(dirname(named), 'cached-20200101T000000000Z-00000000.tar');
    writeFileSync(left, 'half');
    const old = new Date('2020-01-01');
    for (const file of [named, left]) utimesSync(file, old, old);
    assert.deepEqual((await kit.lanes.clean({ merged: false, dryRun: true })).archives, []);
    assert.ok(existsSync(left), 'nothing is done while it is only shown');
    assert.deepEqual((await clean()).archives, [left]);
    assert.ok(existsSync(named) && !existsSync(left));
  });

  it('is done by whoever takes a run over, too', async () => {
    const kit = await world.kit('editor');
    const [lane] = await kit.lanes.create(['closed']);
    const admin = join(world.repo, '.git', 'worktrees', 'closed');
    const marker = readFileSync(join(admin, 'agentkit.json'));
    await kit.lanes.discard('closed');
    // As after a crash: git still has its entry, and no run works with it.
    world.git('worktree', 'add', '--quiet', '-b', 'lane/closed', lane!.path!);
    writeFileSync(join(admin, 'agentkit.json'), marker);
    rmSync(lane!.path!, { recursive: true });
    const archive = (await kit.lanes.rescues()).find((each) => each.archive !== null)!.archive!.file;
    // One that cannot be deleted keeps nothing else from being done.
    const stuck = join(dirname(archive), 'stuck-20200101T000000000Z-00000000.tar');
    mkdirSync(stuck);
    utimesSync(stuck, new Date('2020-01-01'), new Date('2020-01-01'));
    await (
      await (await world.kit('editor')).resumeRun('manual')
    ).atRest;
    const deadline = performance.now() + 30_000;
    while (existsSync(admin)) {
      assert.ok(performance.now() < deadline, entries());
      await pause(50);
    }
    assert.ok(existsSync(stuck));
  });
});
