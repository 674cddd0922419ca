import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { repositoryTrust, trustRepository } from '../../../src/engine/person/repositoryTrust.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';

const held = (what: string) =>
  `echo x >> "$HOME/../${what}-starts"; while test -e "$HOME/../${what}"; do sleep 0.05; done`;

describe('a lane whose supervisor was killed while nobody owned its run', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  before(async () => {
    world = new DemoWorld(['one']);
    world.write('agentkit.yaml', stringify({ version: 1, worktree: { setup: [held('setup')] } }));
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Set up');
    const { repository } = await world.kit();
    await trustRepository(await repositoryTrust(repository, 'main', world.environment), world.environment);
  });
  after(() => world.dispose());

  const starts = (what: string) => readFileSync(join(world.root, `${what}-starts`), 'utf8').length / 2;
  const poised = (kit: AgentKit, lane: string, is: string) =>
    poll(`${lane} ${is}`, 60_000, async () => (await kit.findLane(lane)).state === is || undefined);

  for (const [what, state, step, asked] of [
    ['setup', 'preparing', 'setup-1/0', 'blocked'],
    ['gate', 'verifying', 'gate-1/check', 'interrupted'],
  ] as const)
    for (const collected of [false, true])
      it(`gets its ${what} again at a resume, ${collected ? 'found dead before' : 'and no other agent'}`, async () => {
        const id = `${what}-${collected ? 'told' : 'left'}`;
        rmSync(join(world.root, `${what}-starts`), { force: true });
        writeFileSync(join(world.root, what), '');
        const kit = await world.kit();
        const gate = [{ name: 'check', run: held('gate'), timeout: 60 }];
        const { run, atRest } = await kit.startRun({
          text: world.plan([{ id, steps: [writes(`${id}.txt`)] }], { gate }),
        });
        const ended = atRest.catch(() => undefined);
        await poised(kit, id, state);
        const folder = join((await kit.readRun(run)).folder, 'lanes', id, step);
        await poll('its command', 60_000, () => Promise.resolve(startsOrNone(what) === 1 || undefined));
        await kit.dispose();
        await ended;
        process.kill(
          (JSON.parse(readFileSync(join(folder, 'supervisor.json'), 'utf8')) as { pid: number }).pid,
          'SIGKILL',
        );

        const next = await world.kit();
        if (collected) {
          const calmly = await (await next.resumeRun(run)).atRest;
          assert.equal(calmly.lanes[0]?.state, asked, 'it was not asked for');
          assert.equal(calmly.resumable, true);
        }
        rmSync(join(world.root, what));
        const { lanes, resumable } = await (await next.resumeRun(run, { retry: true })).atRest;
        assert.deepEqual(
          [lanes[0]?.state, lanes[0]?.attempts.length, starts(what), resumable],
          ['ready', 1, 2, false],
        );
      });

  function startsOrNone(what: string): number {
    try {
      return starts(what);
    } catch {
      return 0;
    }
  }
});
