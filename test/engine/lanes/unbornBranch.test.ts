import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('a repository whose current branch has no commit', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  before(() => {
    world = new DemoWorld(['one']);
  });
  after(() => world.dispose());

  it('keeps its lanes listed, restorable and removable, and makes more from a branch that has one', async () => {
    await (await world.kit()).lanes.create(['before']);
    world.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
    const kit = await world.kit();
    assert.equal((await kit.findLane('before')).state, 'open');
    assert.deepEqual(await kit.lanes.orphans(), []);
    const answer = await kit.lanes.discard('before');
    assert.ok(answer.ok, answer.message);
    assert.equal((await kit.lanes.rescues()).length, 1);
    const [made] = await kit.lanes.create(['made'], { base: 'main' });
    assert.equal(made?.state, 'open', made?.why_not.join());
  });

  it('has nothing made where no branch has a commit, and says how to make one', async () => {
    const folder = join(world.root, 'empty');
    mkdirSync(folder);
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    const { dist, environment } = world;
    const kit = await createAgentKit({ folder, head: 'ak', node: process.execPath, dist, environment });
    try {
      await assert.rejects(kit.lanes.create(['none']), { message: /git commit --allow-empty/ });
      assert.deepEqual(await kit.lanes.rescues(), []);
    } finally {
      await kit.dispose();
    }
  });
});
