import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

/** One `ak` at work: what it has said so far, and how it ends. */
interface Working {
  child: ChildProcess;
  pid: number;
  said: () => string;
  ended: Promise<{ code: number | null; out: string }>;
}

describe('ak that is interrupted while it waits', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let working: Working[];
  beforeEach(async () => {
    world = new DemoWorld();
    kit = await world.kit();
    working = [];
  });
  afterEach(async () => {
    for (const { child } of working) child.kill('SIGKILL');
    await Promise.all(working.map(({ ended }) => ended));
    const { runs } = await kit.listRuns();
    for (const { run, status } of runs)
      if (status === 'running' || status === 'interrupted') await kit.request(run, { do: 'stopRun' });
    await world.dispose();
  });

  function begin(...args: string[]): Working {
    const env = world.environment as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [ak, ...args], { cwd: world.repo, env });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out }));
    const begun = { child, pid: child.pid ?? 0, said: () => err, ended };
    working.push(begun);
    return begun;
  }

  async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (!(await condition())) {
      assert.ok(performance.now() < deadline, `never: ${what}`);
      await pause(50);
    }
  }

  const laneIs = (lane: string, state: string) => async () =>
    (await kit.findLane(lane).catch(() => undefined))?.state === state;

  function start(steps: unknown[], ...flags: string[]): Working {
    const plan = join(world.repo, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'job', steps }]));
    return begin('orchestrate', 'start', plan, '--yes', ...flags);
  }

  function cancelled(out: string): string {
    assert.equal(out.trimEnd().split('\n').length, 1, out);
    const { error } = JSON.parse(out) as { error: { reason: string; message: string } };
    assert.equal(error.reason, 'cancelled');
    return error.message;
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`lets go of a run at ${signal}, with one object and 5; the agents go on`, async () => {
      const begun = start([{ wait: 60 }], '--json');
      await until(laneIs('job', 'running'), 'the agent runs');
      begun.child.kill(signal);
      const { code, out } = await begun.ended;
      assert.equal(code, 5);
      const [run] = (await kit.listRuns()).runs;
      assert.equal(
        cancelled(out),
        `Let go of run ${run?.run}; its agents go on. Go on with: ak orchestrate resume ${run?.run}`,
      );
      assert.equal(run?.lanes[0]?.state, 'running');
      assert.equal(run.owner?.alive, false);
      const cure = `Go on with it: ak orchestrate resume ${run.run}`;
      const status = begin('orchestrate', 'status', run.run);
      assert.ok((await status.ended).out.trimEnd().endsWith(`\n${cure}`));
    });

  it('says so in words without --json', async () => {
    const begun = start([{ wait: 60 }]);
    await until(laneIs('job', 'running'), 'the agent runs');
    begun.child.kill('SIGINT');
    assert.deepEqual(await begun.ended, { code: 5, out: '' });
    assert.match(begun.said(), /^ak: Let go of run .* resume /m);
  });

  it('says whom it waits for, and a request that was cancelled is not carried out later', async () => {
    const owner = start([{ wait: 60 }]);
    await until(laneIs('job', 'running'), 'the agent runs');
    const folder = (await kit.listRuns()).runs[0]?.folder ?? '';
    owner.child.kill('SIGSTOP');
    const asking = begin('lane', 'stop', 'job', '--json');
    await until(() => asking.said().includes(`ak, process ${owner.pid}`), 'it names the owner');
    asking.child.kill('SIGINT');
    const { code, out } = await asking.ended;
    assert.equal(code, 5);
    assert.match(cancelled(out), /withdrawn/);
    assert.deepEqual(readdirSync(join(folder, 'requests')), []);

    owner.child.kill('SIGCONT');
    const again = await begin('lane', 'stop', 'job').ended;
    assert.equal(again.code, 0);
    const answers = readFileSync(join(folder, 'journal.jsonl'), 'utf8').match(/"request\.answered"/g);
    assert.equal(answers?.length, 1);
  });

  it('takes a merge back that has begun, with one object and 5, and nobody goes on with it', async () => {
    const gate = [{ name: 'check', run: 'sh check.sh && sleep 2', timeout: 30 }];
    const plan = join(world.repo, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'job', steps: [writes('job.txt')] }], { gate }));
    assert.equal((await begin('orchestrate', 'start', plan, '--yes').ended).code, 0);
    const before = world.git('rev-parse', 'main');
    const merging = begin('lane', 'merge', 'job', '--json');
    await until(laneIs('job', 'merging'), 'the gate of the merged tree runs');
    merging.child.kill('SIGINT');
    const { code, out } = await merging.ended;
    assert.equal(code, 5);
    assert.match(cancelled(out), /stopped/);
    // Whoever owns the run next has nothing of it to go on with.
    assert.equal((await begin('lane', 'gate', 'job').ended).code, 0);
    assert.equal((await kit.findLane('job')).state, 'ready');
    assert.equal(world.git('rev-parse', 'main'), before);
    assert.equal((await begin('lane', 'merge', 'job').ended).code, 0);
    assert.notEqual(world.git('rev-parse', 'main'), before);
  });

  it('gives up what does not let go by itself', async () => {
    const pipe = join(world.repo, 'plan.yaml');
    execFileSync('mkfifo', [pipe]);
    const reading = begin('plan', 'check', pipe, '--json');
    let out = '';
    reading.child.stdout?.on('data', (text: string) => (out += text));
    let end: number | undefined;
    // Opens only once somebody reads; nothing is ever written.
    await until(() => (end = openIfRead(pipe)) !== undefined, 'it reads the pipe');
    try {
      reading.child.kill('SIGINT');
      await until(() => out !== '', 'it gives up');
      cancelled(out);
    } finally {
      closeSync(end ?? 0);
    }
    assert.equal((await reading.ended).code, 5);
  });
});

function openIfRead(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
