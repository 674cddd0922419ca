import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '../../../src/core/lanes/laneView.ts';
import { buildPrograms } from './buildPrograms.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** With it, each append is died before and after, instead of in turn the one or the other. */
const every = process.env['AGENTKIT_EVERY_KILL'] === '1';
// Doing these steps twice would show in the file.
const steps = [{ append: { path: 'job.txt', content: 'once' } }, { commit: 'half' }, writes('rest.txt')];

/** The owner of a run is killed around every single append; somebody else goes on and comes to the same end. */
describe('a run whose owner is killed', function () {
  this.timeout(every ? 600_000 : 300_000);
  let dist: string;
  let owner: string;

  before(() => {
    dist = mkdtempSync(join(tmpdir(), 'agentkit programs '));
    owner = buildPrograms(dist, join(import.meta.dirname, 'mortalOwner.ts'));
  });
  after(() => rmSync(dist, { recursive: true, force: true }));

  /** What the owner printed; it must have died when it was told to. */
  async function ownUntilDeath(world: DemoWorld, append: number, when: 'before' | 'after'): Promise<string> {
    const { repo } = world;
    const env = { ...world.environment, NODE_COMPILE_CACHE: join(dist, 'compiled') };
    const plan = world.plan([{ id: 'job', steps, paths: ['*.txt'] }]);
    const orders = JSON.stringify({ repo, dist, plan, lane: 'job', die: { append, when } });
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [owner, orders], { env, timeout: 60_000 }, (error, stdout, stderr) => {
        if (append > 0 && error?.signal !== 'SIGKILL') reject(new Error(`it did not die: ${stderr}`));
        else resolve(stdout);
      });
    });
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

  async function dieAndGoOn(death: { append: number; when: 'before' | 'after' }, of: number): Promise<void> {
    const world = new DemoWorld(['one']);
    try {
      await ownUntilDeath(world, death.append, death.when);
      checkEnd(world, await goOn(world));
    } catch (error) {
      throw new Error(`killed ${death.when} append ${death.append} of ${of}`, { cause: error });
    } finally {
      await world.dispose();
    }
  }

  it('comes to the end of the undisturbed run, killed around every append', async () => {
    const calm = new DemoWorld(['one']);
    let appends: number;
    try {
      appends = Number(await ownUntilDeath(calm, 0, 'before'));
      checkEnd(calm, (await (await calm.kit()).listRuns()).runs[0]!);
    } finally {
      await calm.dispose();
    }
    assert.ok(appends >= 12, `only ${appends} appends`);
    const deaths = Array.from({ length: appends }, (_, index) => index + 1).flatMap((append) =>
      (['before', 'after'] as const).map((when) => ({ append, when })),
    );
    // The very first append makes the run, which is there once its journal has its name: there is nothing to go on with.
    const left = deaths.slice(2).filter((_death, index) => every || index % 4 === 0 || index % 4 === 3);
    const dieInTurn = async (): Promise<void> => {
      for (let death = left.shift(); death !== undefined; death = left.shift())
        await dieAndGoOn(death, appends);
    };
    await Promise.all([dieInTurn(), dieInTurn(), dieInTurn()]);
  });
});
