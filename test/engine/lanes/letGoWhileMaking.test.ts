import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

/** Its owner is this very process, which is alive all the time: only who holds the run tells who makes the lane. */
describe('a lane by hand whose owner lets go while it is made', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let go: string;

  before(() => {
    world = new DemoWorld(['one']);
    go = join(world.root, 'go');
    const setup = [`while [ ! -e "${go}" ]; do sleep 0.05; done`];
    world.write('agentkit.yaml', stringify({ version: 1, worktree: { setup } }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'setup');
  });
  afterEach(() => rmSync(go, { force: true }));
  after(() => world.dispose());

  const mayGo = () => writeFileSync(go, '');

  /** Until the setup of a lane runs. */
  async function inSetup(kit: AgentKit, lane: string): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const { runs } = await kit.listRuns();
      const found = runs.flatMap(({ lanes }) => lanes).find((each) => each.lane === lane);
      if (found?.state === 'preparing' && found.why_not.includes('its setup runs')) return;
      assert.ok(performance.now() < deadline, `${lane}: ${found?.state} ${found?.why_not.join(' ')}`);
      await pause(50);
    }
  }

  it('is given up with the word that helps, and is there for whoever resumes the run', async () => {
    const kit = await world.kit('editor');
    const made = kit.lanes.create(['left']);
    const told = assert.rejects(made, { reason: 'cancelled', message: /manual was let go; resume it/ });
    await inSetup(kit, 'left');
    await kit.dispose();
    await told;
    mayGo();
    const next = await world.kit('editor');
    await (
      await next.resumeRun('manual')
    ).atRest;
    assert.equal((await next.findLane('left')).state, 'open');
  });

  it('is made by whoever asks for the same, though the owner that is written down is alive', async () => {
    const first = await world.kit('editor');
    mayGo();
    const [lane] = await first.lanes.create(['back']);
    writeFileSync(join(lane!.path!, 'draft.txt'), 'work\n');
    const { rescue } = await first.lanes.discard('back');
    rmSync(go);
    const begun = assert.rejects(first.lanes.restore(rescue!), { reason: 'cancelled' });
    await inSetup(first, 'back');
    await first.dispose();
    await begun;
    const second = await world.kit('editor');
    const joined = second.lanes.restore(rescue!);
    await inSetup(second, 'back');
    mayGo();
    const view = await joined;
    assert.deepEqual([view.lane, view.state], ['back', 'open'], view.why_not.join(' '));
    assert.equal(readFileSync(join(view.path!, 'draft.txt'), 'utf8'), 'work\n');
  });

  it('is made to the end where its conductor ended with the answer given', async () => {
    const kit = await world.kit('editor');
    const made = kit.lanes.create(['taken']);
    await inSetup(kit, 'taken');
    const { seq, folder } = await kit.readRun('manual');
    // Somebody else's event: the conductor may not write any more and ends.
    const event = { seq: seq + 1, at: new Date().toISOString(), type: 'run.asks' };
    appendFileSync(join(folder, 'journal.jsonl'), `${JSON.stringify(event)}\n`);
    mayGo();
    const [lane] = await made;
    assert.equal(lane?.state, 'open', lane?.why_not.join(' '));
  });
});
