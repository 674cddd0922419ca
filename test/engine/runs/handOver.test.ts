import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { DemoWorld, writes, type JobOf } from '../conductor/demoWorld.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

describe('a run between windows and shells', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const deadline = performance.now() + 30_000;
    while (!(await condition())) {
      assert.ok(performance.now() < deadline, `never: ${what}`);
      await pause(50);
    }
  }

  const statusOf = (step: string): { child_pid: number | null } | undefined => {
    const file = join(step, 'status.json');
    return existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as { child_pid: number | null })
      : undefined;
  };

  const stateOf = async (kit: AgentKit, lane: string) => (await kit.findLane(lane)).state;

  /** Runs `ak` beside this process, which must stay able to answer it. */
  async function akJson(...args: string[]): Promise<{ code: number; value: Record<string, unknown> }> {
    const env = world.environment as NodeJS.ProcessEnv;
    const options = { cwd: world.repo, env, timeout: 30_000 };
    return new Promise((resolve) => {
      execFile(process.execPath, [ak, ...args, '--json'], options, (error, stdout) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, value: JSON.parse(stdout) as Record<string, unknown> });
      });
    });
  }

  it('goes on with its agents when the window closes, and the next window finds what ended meanwhile', async () => {
    const first = await world.kit('editor');
    const steps = [{ append: { path: 'job.txt', content: 'once' } }, { wait: 1.5 }, writes('late.txt')];
    const { run } = await first.startRun({ text: world.plan([{ id: 'job', steps, paths: ['*.txt'] }]) });
    await until(async () => (await stateOf(first, 'job')) === 'running', 'the agent runs');
    await first.dispose();
    const lanePath = (await first.findLane('job')).path ?? '';
    await until(() => existsSync(join(lanePath, 'late.txt')), 'the agent ends without a window');

    const second = await world.kit('editor');
    const { atRest } = await second.resumeRun(run);
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'ready');
    assert.equal(lane.attempts.length, 1);
    assert.equal(world.git('show', 'lane/job:job.txt'), 'once');
  });

  it('is asked by a shell while a window owns it: the window does it and answers', async () => {
    const window = await world.kit('editor');
    const { run, atRest } = await window.startRun({
      text: world.plan([{ id: 'job', steps: [{ wait: 60 }] }]),
    });
    await until(async () => (await stateOf(window, 'job')) === 'running', 'the agent runs');
    const resumed = await akJson('orchestrate', 'resume', run);
    assert.equal(resumed.code, 1);
    assert.equal((resumed.value['error'] as { reason: string }).reason, 'conflict');
    assert.equal((await akJson('lane', 'stop', 'job')).code, 0);
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'interrupted');
    const owner = (await window.readRun(run)).owner;
    assert.equal(owner?.pid, process.pid, 'the shell took the run over');
  });

  it('stops whole: running lanes are interrupted, queued ones never begin', async () => {
    await world.dispose();
    world = new DemoWorld(['one']);
    const kit = await world.kit();
    const jobs = ['a', 'b'].map((id) => ({ id, steps: [{ wait: 60 }] }));
    const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
    await until(async () => (await stateOf(kit, 'a')) === 'running', 'the first agent runs');
    assert.ok((await kit.request(run, { do: 'stopRun' })).ok);
    const view = await atRest;
    assert.deepEqual(
      view.lanes.map(({ state }) => state),
      ['interrupted', 'blocked'],
    );
    assert.equal(view.status, 'stopped');
  });

  it('tries an interrupted lane again where it stands, when a person asks', async () => {
    const kit = await world.kit();
    const steps = [writes('job.txt'), { wait: 1 }];
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps }]) });
    await until(async () => (await stateOf(kit, 'job')) === 'running', 'the agent runs');
    const { path } = await kit.findLane('job');
    await until(() => existsSync(join(path ?? '', 'job.txt')), 'it has written');
    assert.ok((await kit.request(run, { do: 'stopLane', lane: 'job' })).ok);
    await atRest;
    const before = await kit.findLane('job');
    assert.equal(before.state, 'interrupted');
    assert.ok((await kit.request(run, { do: 'retry', lane: 'job' })).ok);
    const [lane] = (await (await kit.resumeRun(run)).atRest).lanes;
    assert.equal(lane?.state, 'ready');
    assert.equal(lane.path, before.path);
    assert.deepEqual(
      lane.attempts.map(({ outcome }) => outcome),
      ['stopped', 'succeeded'],
    );
    const prompt = readFileSync(
      join((await kit.readRun(run)).folder, 'lanes/job/attempt-2/prompt.md'),
      'utf8',
    );
    assert.match(prompt, /Another agent .* began this piece of work[^]*Files that it changed:\n> job\.txt/);
  });

  it('tries a lane again at the first resume whose agent died while nobody owned the run, where that is asked', async () => {
    const first = await world.kit();
    const job = (id: string): JobOf => ({
      id,
      steps: [writes(`${id}.txt`), { ask: { for: 'question', text: 'Which?', answer: 'go.txt' } }],
      paths: ['*.txt'],
    });
    for (const [id, retry, outcomes] of [
      ['again', true, ['lost', 'succeeded']],
      ['left', false, ['lost']],
    ] as const) {
      const { run } = await first.startRun({ text: world.plan([job(id)]) });
      await until(async () => (await stateOf(first, id)) === 'waiting', 'its agent asks');
      const { folder } = await first.readRun(run);
      const { path } = await first.findLane(id);
      await first.dispose();
      const step = join(folder, 'lanes', id, 'attempt-1');
      const { pid } = JSON.parse(readFileSync(join(step, 'supervisor.json'), 'utf8')) as { pid: number };
      const agent = statusOf(step)?.child_pid;
      assert.ok(agent);
      process.kill(pid, 'SIGKILL');
      process.kill(agent, 'SIGKILL');
      writeFileSync(join(path ?? '', 'go.txt'), '');
      const second = await world.kit();
      const [lane] = (await (await second.resumeRun(run, { retry })).atRest).lanes;
      assert.deepEqual(
        lane?.attempts.map(({ outcome }) => outcome),
        outcomes,
        lane?.why_not.join(' '),
      );
      assert.equal(lane.state, retry ? 'ready' : 'interrupted');
      assert.deepEqual(readdirSync(join(folder, 'requests')), [], 'a request is left');
      await second.dispose();
    }
  });

  it('finds a lane interrupted when its supervisor is killed, and never starts that attempt again', async () => {
    const kit = await world.kit();
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [{ wait: 60 }] }]) });
    await until(async () => (await stateOf(kit, 'job')) === 'running', 'the agent runs');
    const step = join((await kit.readRun(run)).folder, 'lanes', 'job', 'attempt-1');
    await until(() => typeof statusOf(step)?.child_pid === 'number', 'its supervisor reports');
    const { pid } = JSON.parse(readFileSync(join(step, 'supervisor.json'), 'utf8')) as { pid: number };
    const agent = processIdentity(statusOf(step)?.child_pid ?? 0);
    assert.ok(agent && isAlive(agent));
    process.kill(pid, 'SIGKILL');
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'interrupted');
    assert.equal(lane.attempts[0]?.outcome, 'lost');
    assert.ok(!isAlive(agent), 'its agent lives on');
  });

  it('has one writer an account, also over two runs', async () => {
    await world.dispose();
    world = new DemoWorld(['one']);
    const kit = await world.kit();
    const first = await kit.startRun({
      text: world.plan([{ id: 'a', steps: [{ wait: 0.5 }, writes('a.txt')] }]),
    });
    await until(async () => (await stateOf(kit, 'a')) === 'running', 'the first agent runs');
    const second = await kit.startRun({ text: world.plan([{ id: 'b', steps: [writes('b.txt')] }]) });
    const [a] = (await first.atRest).lanes;
    const [b] = (await second.atRest).lanes;
    assert.equal(a?.state, 'ready');
    assert.equal(b?.state, 'ready');
    assert.ok(
      (a.attempts[0]?.ended_at ?? '') <= (b.attempts[0]?.started_at ?? ''),
      'both wrote under one account at once',
    );
  });

  it('shows every run that can be read, and says of the other why it cannot', async () => {
    const kit = await world.kit();
    const broken = await kit.startRun({ text: world.plan([{ id: 'a', steps: [writes('a.txt')] }]) });
    const whole = await kit.startRun({ text: world.plan([{ id: 'b', steps: [writes('b.txt')] }]) });
    await Promise.all([broken.atRest, whole.atRest]);
    assert.equal((await kit.listRuns()).unreadable.length, 0);
    const { folder } = await kit.readRun(broken.run);
    appendFileSync(join(folder, 'journal.jsonl'), '{"seq":99,"type":"lane.teleported"}\n');
    const { runs, unreadable } = await kit.listRuns();
    assert.deepEqual(
      runs.map(({ run }) => run),
      [whole.run],
    );
    assert.match(unreadable[0]?.message ?? '', /journal\.jsonl:\d+ .*newer AgentKit/);
    assert.equal(await stateOf(kit, 'b'), 'ready');
  });
});
