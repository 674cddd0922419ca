import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { recorded } from '../agents/claude/recorded.ts';
import { kill, poll } from '../process/stepFixture.ts';
import { ak, answerOf, type Working } from './akProcess.ts';
import { RunWorld } from './runWorld.ts';

/** Never ends by itself, ignores SIGTERM, and has a child in a session of its own that ignores it too. */
const stubborn = `
  process.on('SIGTERM', () => {});
  const sleep = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const { spawn } = require('node:child_process');
  const away = spawn(process.execPath, ['-e', sleep], { detached: true, stdio: 'ignore' });
  fs.writeFileSync('away.pid', String(away.pid));
  fs.writeFileSync('agent.pid', String(process.pid));
  setInterval(() => {}, 1000);`;

/** The same, but what is in its own group ends when it is asked to. */
const polite = stubborn.replace("process.on('SIGTERM', () => {});", '');

describe('ak run, stopped', function () {
  this.timeout(60_000);
  let world: RunWorld;
  let bystander: ChildProcess;
  beforeEach(() => {
    world = new RunWorld();
    world.answer({ during: stubborn });
    // Another attempt's process, which nothing here may touch.
    const env = { ...process.env, AGENTKIT_ATTEMPT: 'other/lane/1' };
    bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, stdio: 'ignore' });
  });
  afterEach(async () => {
    assert.equal(bystander.exitCode ?? bystander.signalCode, null, 'a process of another attempt was ended');
    const ended = once(bystander, 'exit');
    bystander.kill('SIGKILL');
    await ended;
    await world.dispose();
  });

  /** An agent at work, with its child. */
  async function begin(...flags: string[]): Promise<Working & { agent: number; away: number }> {
    const working = world.begin(['run', 'claude', '@work', '--json', ...flags, '--', 'x']);
    const agent = await world.pidIn('agent.pid');
    const away = await world.pidIn('away.pid');
    return { ...working, agent, away };
  }

  const lives = (pid: number) => {
    const identity = processIdentity(pid);
    return identity !== null && isAlive(identity);
  };

  it('ends with 4 when its time is over, with everything that it had started', async () => {
    const { ended, agent, away } = await begin('--timeout', '3');
    const answer = answerOf(await ended);
    assert.deepEqual([answer.exit, answer.error?.reason, answer.cli_exit], [4, 'timeout', 137]);
    assert.match(answer.error?.message ?? '', /time of 3 s was over/);
    assert.deepEqual([lives(agent), lives(away)], [false, false]);
    await world.quiet();
    assert.deepEqual(await listLeases(world), []);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`ends with 5 and one object at ${signal}, with everything that it had started`, async () => {
      if (signal !== 'SIGINT') world.answer({ during: polite });
      const { child, ended, agent, away, said } = await begin();
      child.kill(signal);
      const answer = answerOf(await ended);
      const cliExit = signal === 'SIGINT' ? 137 : 143;
      assert.deepEqual([answer.exit, answer.error?.reason, answer.cli_exit], [5, 'cancelled', cliExit]);
      assert.match(said(), /Stops the agent; a second Ctrl\+C does not wait/);
      assert.deepEqual([lives(agent), lives(away)], [false, false]);
      await world.quiet();
      assert.deepEqual(await listLeases(world), []);
    });

  it('does not wait at a second Ctrl+C, and what it had started ends all the same', async () => {
    const { child, ended, agent, said } = await begin();
    child.kill('SIGINT');
    await poll('its word', 10_000, () => said().includes('second') || undefined);
    child.kill('SIGINT');
    const answer = answerOf(await ended);
    assert.deepEqual([answer.exit, answer.error?.reason, answer.cli_exit], [5, 'cancelled', null]);
    assert.match(answer.error?.message ?? '', /still being ended: .*runs/);
    assert.equal(lives(agent), true, 'it waited');
    assert.deepEqual(
      (await listLeases(world)).map(({ account }) => account),
      ['claude/@work'],
    );
    await world.quiet();
    assert.deepEqual(await listLeases(world), []);
  });

  it('ends with 5 before anything has begun, and sends no prompt', async () => {
    const asked = join(world.root, 'asked');
    const first = `fs.writeFileSync(${JSON.stringify(asked)}, ''); if (args[0] === '--version') ${wait(1500)}`;
    world.answer({ first });
    const { child, ended } = world.begin(['run', 'claude', '@work', '--json', '--', 'x']);
    await poll('the question to the CLI', 10_000, () => existsSync(asked) || undefined);
    child.kill('SIGINT');
    const answer = answerOf(await ended);
    assert.deepEqual([answer.exit, answer.error?.reason], [5, 'cancelled']);
    assert.deepEqual([answer.run_folder, world.prompts()], [null, []]);
    await world.quiet();
    assert.deepEqual(await listLeases(world), []);
  });

  it('ends with 5 and one object while it waits for its prompt', async () => {
    const child = spawn(process.execPath, [ak, 'run', 'claude', '--json', '--', '-'], {
      cwd: world.repo,
      env: world.environment,
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    // It takes what is written to it once it reads.
    await new Promise((resolve) => child.stdin.write('x'.repeat(1_000_000), resolve));
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    const answer = answerOf({ code, out, err: '' });
    assert.deepEqual([answer.exit, answer.error?.reason], [5, 'cancelled']);
  });

  it('goes on without ak when that is killed, under its account, and ends by its timeout', async () => {
    world.answer({ during: polite });
    const { child, ended, agent } = await begin('--timeout', '4');
    child.kill('SIGKILL');
    await ended;
    assert.equal(lives(agent), true);
    assert.deepEqual(
      (await listLeases(world)).map(({ account }) => account),
      ['claude/@work'],
    );
    const refused = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([refused.exit, refused.error?.reason], [1, 'conflict']);
    await world.quiet();
    assert.deepEqual(await listLeases(world), []);
  });

  it('tells that its supervisor was killed, and ends what that had started', async () => {
    world.answer({ during: polite });
    const { ended, agent, away } = await begin();
    const supervisor = world.processes().find(({ command }) => command.includes('supervisor.js'));
    const runs = join(world.root, 'state', 'agentkit', 'runs');
    const record = join(runs, readdirSync(runs)[0] ?? '', 'processes.json');
    const noted = () => existsSync(record) && readFileSync(record, 'utf8').includes(String(away));
    await poll('the note of the child', 10_000, () => noted() || undefined);
    kill(supervisor?.pid ?? 0);
    const answer = answerOf(await ended);
    assert.deepEqual([answer.exit, answer.error?.reason], [1, 'conflict']);
    assert.match(answer.error?.message ?? '', /supervisor of .* was killed/);
    assert.deepEqual([lives(agent), lives(away)], [false, false]);
  });

  it('lists what only its mark tells, and leaves it alone', async () => {
    world.answer({
      during: `
        const { spawnSync } = require('node:child_process');
        spawnSync('/bin/sh', ['-c', '(setsid sleep 97 >/dev/null 2>&1 </dev/null & echo $! > stray.pid) &'], { stdio: 'ignore' });
        process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`,
    });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.equal(answer.exit, 0, answer.error?.message);
    const left = world.processes().filter(({ command }) => command === 'sleep 97');
    assert.equal(left.length, 1);
    assert.deepEqual(
      answer.strays,
      left.map(({ pid }) => pid),
    );
    left.forEach(({ pid }) => kill(pid));
    await world.quiet();
  });

  it('goes on to its end when nobody reads its answer or its progress any more', async () => {
    world.answer({
      during: `${wait(800)} process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`,
    });
    for (const flags of [['--json'], []]) {
      const { child, ended } = world.begin(['run', 'claude', '@work', ...flags, '--', 'x']);
      child.stdout?.destroy();
      child.stderr?.destroy();
      const { code } = await ended;
      assert.equal(code, 0);
    }
    assert.equal(world.prompts().length, 2);
  });
});

function wait(ms: number): string {
  return `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
}
