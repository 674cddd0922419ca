import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { repositoryTrust, trustRepository } from '../../../src/engine/person/repositoryTrust.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { poll } from '../process/stepFixture.ts';

const held = (what: string) =>
  `echo x >> "$HOME/../${what}-starts"; while test -e "$HOME/../${what}"; do sleep 0.05; done`;

type Held = 'setup' | 'gate' | 'agent';

/** Where a lane is then, and what it is once somebody has found its process dead. */
const stages = {
  setup: { state: 'preparing', folder: 'setup-1/0', collected: 'blocked', steps: [] },
  gate: { state: 'verifying', folder: 'gate-1/check', collected: 'interrupted', steps: [] },
  agent: { state: 'running', folder: 'attempt-1', collected: 'interrupted', steps: [{ wait: 8 }] },
};

describe('a lane whose process ended while nobody owned its run', function () {
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

  /** A lane that is at this, held there, and whose run nobody owns any more. */
  async function leftAt(id: string, what: Held): Promise<{ run: string; step: string; path: string }> {
    const { state, folder, steps } = stages[what];
    rmSync(join(world.root, `${what}-starts`), { force: true });
    writeFileSync(join(world.root, what), '');
    const kit = await world.kit();
    const gate = [{ name: 'check', run: held('gate'), timeout: 60 }];
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id, steps: [writes(`${id}.txt`), ...steps] }], { gate }),
    });
    const ended = atRest.catch(() => undefined);
    await poised(kit, id, state);
    const step = join((await kit.readRun(run)).folder, 'lanes', id, folder);
    const { path } = await kit.findLane(id);
    const begun = what === 'agent' ? join(path ?? '', `${id}.txt`) : join(world.root, `${what}-starts`);
    await poll('its process', 60_000, () => Promise.resolve(existsSync(begun) || undefined));
    await kit.dispose();
    await ended;
    return { run, step, path: path ?? '' };
  }

  /** Ends its supervisor, and waits until that is seen. */
  async function end(step: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { pid } = JSON.parse(readFileSync(join(step, 'supervisor.json'), 'utf8')) as { pid: number };
    process.kill(pid, signal);
    const seen = signal === 'SIGKILL' ? 'lost' : 'ended';
    await poll('its end', 60_000, async () => (await readStep(step)).state === seen || undefined);
  }

  /** How the lane ends once a person resumes its run. */
  async function resumed(kit: AgentKit, run: string, what: Held) {
    rmSync(join(world.root, what), { force: true });
    const { atRest, refused } = await kit.resumeRun(run, { retry: true });
    assert.deepEqual(refused, []);
    const { lanes, resumable } = await atRest;
    const { state, attempts, why_not } = lanes[0]!;
    return { state, attempts: attempts.length, resumable, why: why_not.join(' ') };
  }

  const ready = { state: 'ready', resumable: false, why: '' };

  for (const what of ['setup', 'gate'] as const) {
    it(`gets its ${what} again at a resume, and no other agent`, async () => {
      const { run, step } = await leftAt(`${what}-left`, what);
      await end(step, 'SIGKILL');
      assert.deepEqual(await resumed(await world.kit(), run, what), { ...ready, attempts: 1 });
      assert.equal(starts(what), 2);
    });

    it(`gets its ${what} again also where it was found dead before, once a person resumes`, async () => {
      const { run, step } = await leftAt(`${what}-told`, what);
      await end(step, 'SIGKILL');
      const kit = await world.kit();
      const calmly = await (await kit.resumeRun(run)).atRest;
      assert.equal(calmly.lanes[0]?.state, stages[what].collected, 'it was not asked for');
      assert.equal(calmly.resumable, true);
      assert.deepEqual(await resumed(kit, run, what), { ...ready, attempts: 1 });
    });
  }

  for (const what of ['setup', 'gate', 'agent'] as const)
    it(`goes on where the machine was shut down, which ends the ${what} in order`, async () => {
      const { run, step } = await leftAt(`${what}-down`, what);
      await end(step, 'SIGTERM');
      const attempts = what === 'agent' ? 2 : 1;
      assert.deepEqual(await resumed(await world.kit(), run, what), { ...ready, attempts });
    });

  it('is made again where its folder is gone as well', async () => {
    const { run, step, path } = await leftAt('gone', 'gate');
    await end(step, 'SIGKILL');
    rmSync(path, { recursive: true });
    assert.deepEqual(await resumed(await world.kit(), run, 'gate'), { ...ready, attempts: 2 });
    assert.ok(existsSync(path));
  });

  it('goes on at the first resume also where the run was being stopped', async () => {
    const { run } = await leftAt('stopping', 'agent');
    const kit = await world.kit();
    await kit.request(run, { do: 'stopRun' });
    await kit.dispose();
    assert.deepEqual(await resumed(await world.kit(), run, 'agent'), { ...ready, attempts: 2 });
  });

  it('goes on once when it is resumed twice at a time', async () => {
    const { run, step } = await leftAt('twice', 'gate');
    await end(step, 'SIGKILL');
    const kit = await world.kit();
    const both = await Promise.all([resumed(kit, run, 'gate'), resumed(kit, run, 'gate')]);
    assert.deepEqual(both, [
      { ...ready, attempts: 1 },
      { ...ready, attempts: 1 },
    ]);
    assert.equal(starts('gate'), 2);
  });

  it('does not pass with what changed outside of it, which its person has not seen', async () => {
    const { run, step } = await leftAt('watched', 'agent');
    const hook = join(world.repo, '.git', 'hooks', 'pre-push');
    writeFileSync(hook, '#!/bin/sh\n');
    await end(step, 'SIGKILL');
    const kit = await world.kit();
    const { state, why } = await resumed(kit, run, 'agent');
    assert.equal(state, 'failed');
    assert.match(why, /While its agent ran, this changed outside of it: .*pre-push/);
    rmSync(hook);
    const { ok } = await kit.request(run, { do: 'gate', lane: 'watched' });
    assert.ok(ok);
    await poised(kit, 'watched', 'ready');
  });
});
