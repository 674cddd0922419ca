import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { RunView } from '../../../src/core/lanes/laneView.ts';
import { DemoWorld, writes } from './demoWorld.ts';

const owner = join(import.meta.dirname, 'mortalOwner.ts');
// Doing these steps twice would show in the file.
const steps = [{ append: { path: 'job.txt', content: 'once' } }, { commit: 'half' }, writes('rest.txt')];

/** The owner of a run is killed around every single append; somebody else goes on and comes to the same end. */
describe('a run whose owner is killed', function () {
  this.timeout(300_000);

  function ownUntilDeath(world: DemoWorld, append: number, when: 'before' | 'after'): string {
    const { repo, dist } = world;
    const plan = world.plan([{ id: 'job', steps, paths: ['*.txt'] }]);
    const orders = JSON.stringify({ repo, dist, plan, lane: 'job', die: { append, when } });
    const ended = spawnSync(process.execPath, [owner, orders], {
      env: world.environment,
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (append > 0) assert.equal(ended.signal, 'SIGKILL', ended.stderr);
    return ended.stdout;
  }

  /** Goes on where the dead owner left, as a user would: resume, and merge if it is not merged yet. */
  async function goOn(world: DemoWorld): Promise<RunView> {
    const kit = await world.kit();
    const [run] = (await kit.listRuns()).runs;
    assert.ok(run, 'the run is not to be seen');
    await (
      await kit.resumeRun(run.run)
    ).atRest;
    if ((await kit.findLane('job')).state !== 'merged') {
      const answer = await kit.request(run.run, { do: 'merge', lane: 'job' });
      assert.ok(answer.ok, answer.message);
    }
    return kit.readRun(run.run);
  }

  function checkEnd(world: DemoWorld, view: RunView): void {
    const [lane] = view.lanes;
    assert.equal(lane?.state, 'merged');
    assert.equal(lane.attempts.length, 1, 'the agent was started twice');
    assert.equal(world.git('show', 'main:job.txt'), 'once');
    assert.equal(world.git('show', 'main:rest.txt'), 'rest.txt');
    assert.equal(world.git('rev-list', '--count', 'main'), '4', 'a commit was made twice or is missing');
    assert.equal(world.git('status', '--porcelain'), '');
  }

  it('comes to the end of the undisturbed run, killed before and after every append', async () => {
    const calm = new DemoWorld(['one']);
    let appends: number;
    try {
      appends = Number(ownUntilDeath(calm, 0, 'before'));
      checkEnd(calm, (await (await calm.kit()).listRuns()).runs[0]!);
    } finally {
      await calm.dispose();
    }
    assert.ok(appends >= 12, `only ${appends} appends`);
    const deaths = Array.from({ length: appends }, (_, index) => index + 1).flatMap((append) =>
      (['before', 'after'] as const).map((when) => ({ append, when })),
    );
    // The very first append creates the run: before it there is nothing to go on with.
    for (const { append, when } of deaths.slice(1)) {
      const world = new DemoWorld(['one']);
      try {
        ownUntilDeath(world, append, when);
        checkEnd(world, await goOn(world));
      } catch (error) {
        throw new Error(`killed ${when} append ${append} of ${appends}`, { cause: error });
      } finally {
        await world.dispose();
      }
    }
  });
});
