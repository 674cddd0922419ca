import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../src/engine/process/identity.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { readStep, startStep } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { poll, StepFixture } from './stepFixture.ts';

const mib = 1024 * 1024;

describe('supervisor', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  it('runs a check and keeps its exit code, output and times', async () => {
    const folder = fixture.folder();
    const result = await fixture.run(
      fixture.script('console.log("on stdout"); console.error("on stderr"); process.exitCode = 3'),
      folder,
    );
    assert.equal(result.outcome, 'failed');
    assert.equal(result.exit, 3);
    assert.match(result.message ?? '', /exit code 3/);
    assert.deepEqual(readFileSync(stepFiles(folder).output, 'utf8').split('\n').sort(), [
      '',
      'on stderr',
      'on stdout',
    ]);
    assert.deepEqual(
      fixture
        .transcript(folder)
        .filter((line) => line.kind === 'output')
        .map((line) => line.text)
        .sort(),
      ['on stderr', 'on stdout'],
    );
    assert.ok(Date.parse(result.ended_at) >= Date.parse(result.started_at));
  });

  it('calls a check that exits 0 a success', async () => {
    assert.equal((await fixture.run(fixture.script(''))).outcome, 'succeeded');
  });

  it('names a program that cannot be started', async () => {
    const result = await fixture.run(fixture.launch({ argv: ['no-such-program-here', 'x'] }));
    assert.deepEqual([result.outcome, result.exit, result.not_started], ['failed', null, true]);
    assert.match(result.message ?? '', /no-such-program-here cannot be started: there is no such program/);
  });

  it('names a folder or an input file that is not there', async () => {
    const cwd = join(fixture.root, 'gone');
    assert.match(
      (await fixture.run(fixture.script('', { cwd }))).message ?? '',
      /gone to start it in does not exist/,
    );
    const stdin = join(fixture.root, 'no-prompt.md');
    assert.match(
      (await fixture.run(fixture.script('', { stdin_file: stdin }))).message ?? '',
      /no-prompt\.md/,
    );
  });

  it('leaves a result that says so when launch.json is damaged', async () => {
    const folder = fixture.folder();
    const launch = fixture.script('');
    const result = await fixture.run({ ...launch, argv: [] }, folder);
    assert.equal(result.outcome, 'failed');
    assert.match(result.message ?? '', /launch\.json.*argv/);
  });

  it('gives a prompt of 10 MB by a file, and closes standard input when there is none', async () => {
    const prompt = join(fixture.root, 'prompt.md');
    writeFileSync(prompt, 'ü'.repeat(5 * mib));
    const count =
      'let n = 0; process.stdin.on("data", (d) => (n += d.length)).on("end", () => console.log(`${n} bytes`))';
    const folder = fixture.folder();
    await fixture.run(fixture.script(count, { stdin_file: prompt }), folder);
    assert.equal(readFileSync(stepFiles(folder).output, 'utf8'), `${10 * mib} bytes\n`);
    const closed = fixture.folder();
    await fixture.run(fixture.script(count), closed);
    assert.equal(readFileSync(stepFiles(closed).output, 'utf8'), '0 bytes\n');
  });

  it('takes what is withheld out of the environment, sets what the launch says, and keeps the rest', async () => {
    fixture.environment['ANTHROPIC_API_KEY'] = 'sk-ant-not-for-you';
    fixture.environment['AGENTKIT_LANE'] = 'somebody-elses';
    fixture.environment['HTTPS_PROXY'] = 'http://proxy.example';
    const folder = fixture.folder();
    const print = 'console.log(JSON.stringify(process.env))';
    await fixture.run(
      fixture.script(print, { env: { AGENTKIT_RUN: 'r1', AGENTKIT_ATTEMPT: 'r1/a/1' } }),
      folder,
    );
    const seen = JSON.parse(readFileSync(stepFiles(folder).output, 'utf8')) as Record<string, string>;
    assert.equal(seen['ANTHROPIC_API_KEY'], undefined);
    assert.equal(seen['AGENTKIT_LANE'], undefined);
    assert.equal(seen['ELECTRON_RUN_AS_NODE'], undefined);
    assert.equal(seen['HTTPS_PROXY'], 'http://proxy.example');
    assert.equal(seen['HOME'], fixture.root);
    assert.deepEqual([seen['AGENTKIT_RUN'], seen['AGENTKIT_ATTEMPT']], ['r1', 'r1/a/1']);
  });

  it('withholds also what the supervisor itself was given', () => {
    const folder = fixture.folder();
    mkdirSync(folder, { recursive: true });
    const print = 'console.log(process.env.GH_TOKEN, process.env.SHELL_LEVEL)';
    const launch = fixture.script(print, { withheld: ['GH_TOKEN'] });
    writeFileSync(stepFiles(folder).launch, JSON.stringify(launch));
    const env = { ...fixture.environment, GH_TOKEN: 'not-for-you-at-all', SHELL_LEVEL: '2' };
    execFileSync(process.execPath, [join(fixture.dist, 'supervisor.js'), folder], { env });
    assert.equal(readFileSync(stepFiles(folder).output, 'utf8'), 'undefined 2\n');
  });

  it('gives the supervisor nothing of what is withheld either, for its children can read its environment', async () => {
    fixture.environment['CODEX_API_KEY'] = 'not-for-you-at-all';
    const folder = await fixture.start(fixture.script('setTimeout(() => {}, 30_000)'));
    const { supervisor } = await poll('a status', 20_000, () => readStep(folder).then((step) => step.status));
    assert.equal(platform.variable(supervisor.pid, 'CODEX_API_KEY'), null);
    assert.equal(platform.variable(supervisor.pid, 'HOME'), fixture.root);
    process.kill(supervisor.pid, 'SIGTERM');
    await fixture.result(folder);
  });

  it('writes no secret down: not by its shape, not by the value of a variable, not in the result', async () => {
    const shaped = `ghp_${'a1B2'.repeat(9)}`;
    fixture.environment['NPM_TOKEN'] = 'plain-looking-value';
    const folder = fixture.folder();
    const line = (value: object) => `console.log(${JSON.stringify(JSON.stringify(value))});`;
    await fixture.run(
      fixture.script(
        line({ type: 'init', session_id: `session ${shaped}` }) +
          line({ type: 'text', text: `shaped ${shaped}` }) +
          'console.error("by name " + process.env.NPM_TOKEN);' +
          line({
            type: 'result',
            ok: true,
            text: `the result ${shaped}`,
            usage: { input_tokens: 1, output_tokens: 2, cost_usd: 0 },
          }),
        { role: 'agent', kind: 'demo' },
      ),
      folder,
    );
    const check = fixture.folder();
    await fixture.run(fixture.script(`console.log("${shaped} " + process.env.NPM_TOKEN)`), check);
    for (const where of [folder, check]) {
      for (const name of readdirSync(where)) {
        const text = readFileSync(join(where, name), 'utf8');
        assert.ok(name === 'launch.json' || !text.includes(shaped), `${name} holds the shaped secret`);
        assert.ok(!text.includes('plain-looking-value'), `${name} holds the value of NPM_TOKEN`);
      }
    }
    assert.match(JSON.stringify(fixture.transcript(folder)), /by name \[redacted\]/);
  });

  it('tells what was used only where the agent told anything of it', async () => {
    const script = (usage: object) =>
      fixture.script(
        `console.log(${JSON.stringify(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done', ...usage }))})`,
        { role: 'agent', kind: 'claude' },
      );
    assert.equal('usage' in (await fixture.run(script({}))), false);
    assert.deepEqual((await fixture.run(script({ usage: { output_tokens: 3 } }))).usage, {
      output_tokens: 3,
    });
  });

  it('keeps its files for their owner alone', async () => {
    const folder = fixture.folder();
    await fixture.run(fixture.script('console.log(1)'), folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
    }
  });

  it('runs once, however many start it at the same time', async () => {
    const folder = fixture.folder();
    const launch = fixture.script('require("fs").appendFileSync("ran.txt", "x"); setTimeout(() => {}, 300)');
    await Promise.all([1, 2, 3, 4].map(() => fixture.start(launch, folder)));
    await fixture.result(folder);
    await fixture.start(launch, folder);
    const ran = readFileSync(join(fixture.root, 'ran.txt'), 'utf8');
    assert.equal(ran, 'x');
  });

  it('does not run again what has a result, even without a claim', async () => {
    const folder = fixture.folder();
    const launch = fixture.script('require("fs").appendFileSync("again.txt", "x")');
    const first = await fixture.run(launch, folder);
    await startStep({
      folder,
      launch,
      node: process.execPath,
      dist: fixture.dist,
      environment: fixture.environment,
    });
    assert.deepEqual((await readStep(folder)).result, first);
    assert.equal(readFileSync(join(fixture.root, 'again.txt'), 'utf8'), 'x');
  });

  it('keeps head and tail of 200 MB of output, in little memory', async () => {
    const folder = fixture.folder();
    const code = `
      const line = Buffer.from("x".repeat(1023) + "\\n"); const block = Buffer.concat(Array(64).fill(line));
      process.stdout.write("first line\\n");
      let left = 200 * 16;
      const go = () => { while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once("drain", go);
        process.stdout.write("last line\\n"); };
      go();`;
    const started = await fixture.start(fixture.script(code), folder);
    const { status } = await poll('a status', 20_000, async () => {
      const step = await readStep(started);
      return step.status ? step : undefined;
    });
    let peak = 0;
    const result = await poll('the result', 50_000, async () => {
      peak = Math.max(peak, peakMemory(status?.supervisor.pid ?? 0));
      return (await readStep(folder)).result;
    });
    assert.equal(result.outcome, 'succeeded');
    assert.equal(result.truncated, true);
    const output = readFileSync(stepFiles(folder).output, 'utf8');
    assert.ok(output.startsWith('first line\n'));
    assert.ok(output.endsWith('x\nlast line\n'));
    assert.match(output, /^\[… \d+ bytes are left out here …\]$/m);
    assert.ok(output.length < 5 * mib, `${output.length}`);
    assert.ok(statSync(stepFiles(folder).transcript).size < 9 * mib);
    assert.ok(peak > 0 && peak < 250 * mib, `peak of ${peak / mib} MiB`);
  });

  it('writes its status whole, with the identity that the claim has', async () => {
    const folder = await fixture.start(
      fixture.script('console.log("working"); setTimeout(() => {}, 30_000)'),
    );
    const step = await poll('activity', 20_000, async () => {
      const seen = await readStep(folder);
      return seen.status?.activity === 'working' ? seen : undefined;
    });
    assert.equal(step.state, 'running');
    assert.ok(step.status?.child_pid);
    assert.ok(isAlive(step.status.supervisor));
    assert.deepEqual(JSON.parse(readFileSync(stepFiles(folder).claim, 'utf8')), step.status.supervisor);
    process.kill(step.status.supervisor.pid, 'SIGTERM');
    const result = await fixture.result(folder);
    assert.equal(result.outcome, 'stopped');
    assert.match(result.message ?? '', /SIGTERM/);
  });
});

/** Largest resident size of a process so far, in bytes; 0 once it has ended. */
function peakMemory(pid: number): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
