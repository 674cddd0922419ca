import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld } from '../conductor/demoWorld.ts';

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
    assert.deepEqual([dry.pruned, dry.left, dry.broken], [[], [], []]);
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
});
