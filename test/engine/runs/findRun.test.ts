import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { rejectsWith } from '../git/rejectsWith.ts';

describe('findRun', function () {
  this.timeout(60_000);
  let mine: DemoWorld;
  let other: DemoWorld;
  let kit: AgentKit;
  let theirs: RunView;
  let own: RunView;
  before(async () => {
    [mine, other] = [new DemoWorld(), new DemoWorld()];
    kit = await mine.kit();
    own = await runOnce(kit, mine);
    theirs = await runOnce(await other.kit(), other);
  });
  after(async () => {
    await mine.dispose();
    await other.dispose();
  });

  async function runOnce(kit: AgentKit, world: DemoWorld): Promise<RunView> {
    const text = world.plan([{ id: 'job', steps: [writes('job.txt')] }]);
    return (await kit.startRun({ text })).atRest;
  }

  it('takes a run of this repository by id, folder or report folder', async () => {
    for (const name of [own.run, own.folder, `${own.folder}/`, own.report])
      assert.equal((await kit.readRun(name)).run, own.run, name);
  });

  it('refuses a run of another repository by folder and by report folder, and names that repository', async () => {
    for (const name of [theirs.folder, theirs.report]) {
      await rejectsWith(kit.readRun(name), 'refused', 'another repository', other.repo);
      await rejectsWith(kit.resumeRun(name, { retry: true }), 'refused', other.repo);
    }
    await rejectsWith(kit.readRun(theirs.run), 'not_found', theirs.run);
  });

  it('finds nothing where no run is', async () => {
    await rejectsWith(kit.readRun('..'), 'not_found', '..');
    await rejectsWith(kit.readRun(mine.root), 'not_found', mine.root);
  });

  it('counts a folder without a journal as no run, and shows the others', async () => {
    mkdirSync(join(mine.repo, '.git', 'agentkit', 'runs', 'stray'));
    const { runs, unreadable } = await kit.listRuns();
    assert.deepEqual([runs.map(({ run }) => run), unreadable], [[own.run], []]);
    await rejectsWith(kit.readRun('stray'), 'not_found', 'stray');
  });
});
