import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { endLostStep } from '../../../src/engine/process/endLostStep.ts';
import { isAlive } from '../../../src/engine/process/identity.ts';
import { readStep, startStep } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { poll, StepFixture, untilDead } from './stepFixture.ts';

const sleeper = (file: string) =>
  `require("fs").writeFileSync("${file}", String(process.pid)); setTimeout(() => {}, 99_000);`;

describe('a step and the death of those around it', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  async function running(launch = fixture.script(sleeper('child.pid'))) {
    const folder = await fixture.start(launch);
    return poll('a running step', 20_000, async () => {
      const step = await readStep(folder);
      return step.state === 'running' && step.status
        ? { folder, supervisor: step.status.supervisor }
        : undefined;
    });
  }

  it('is lost when its supervisor was killed, is never started again, and what it left can be ended', async () => {
    const { folder, supervisor } = await running();
    const child = await fixture.processIn('child.pid');
    process.kill(supervisor.pid, 'SIGKILL');
    await untilDead(supervisor);
    assert.equal((await readStep(folder)).state, 'lost');
    await assert.rejects(
      fixture.start(fixture.script('require("fs").writeFileSync("twice.txt", "")'), folder),
      (error: AgentKitError) => error.reason === 'conflict' && /supervisor is gone/.test(error.message),
    );
    assert.equal(isAlive(child), true);
    assert.deepEqual(await endLostStep(folder), []);
    assert.equal(isAlive(child), false);
    assert.equal(existsSync(join(fixture.root, 'twice.txt')), false);
  });

  it('is ended with what began in its group once nobody noted it any more, and with nothing else', async () => {
    const lateCode = JSON.stringify(sleeper('late.pid'));
    const begins = `require("child_process").spawn(process.execPath, ["-e", ${lateCode}], { stdio: "ignore" });`;
    const code = `${sleeper('early.pid')} setInterval(() => {
      if (!require("fs").existsSync("go")) return; ${begins} process.exit(); }, 20);`;
    const { folder, supervisor } = await running(fixture.script(code));
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 99_000)'], { stdio: 'ignore' });
    try {
      const child = await fixture.processIn('early.pid');
      process.kill(supervisor.pid, 'SIGKILL');
      await untilDead(supervisor);
      writeFileSync(join(fixture.root, 'go'), '');
      const late = await fixture.processIn('late.pid');
      await untilDead(child);
      assert.deepEqual(await endLostStep(folder), []);
      assert.equal(isAlive(late), false);
      assert.equal(other.exitCode ?? other.signalCode, null);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('ends only what a lost supervisor left: a running step is refused', async () => {
    const { folder, supervisor } = await running(fixture.script(sleeper('kept.pid')));
    const child = await fixture.processIn('kept.pid');
    await assert.rejects(endLostStep(folder), (error: AgentKitError) => error.reason === 'conflict');
    assert.equal(isAlive(child), true);
    process.kill(supervisor.pid, 'SIGTERM');
    await fixture.result(folder);
    assert.equal(isAlive(child), false);
  });

  it('is lost when the supervisor dies before it has claimed the step, and may then be started again', async () => {
    const folder = fixture.folder();
    const broken = join(fixture.root, 'broken');
    const launch = fixture.script('console.log("now")');
    await startStep({
      folder,
      launch,
      node: process.execPath,
      dist: broken,
      environment: fixture.environment,
    });
    await poll('the loss', 10_000, async () =>
      (await readStep(folder)).state === 'lost' ? true : undefined,
    );
    assert.equal((await readStep(folder)).claimed, false);
    assert.equal((await fixture.run(launch, folder)).outcome, 'succeeded');
  });

  it('is not started for ever when every supervisor dies at once', async () => {
    const folder = fixture.folder();
    const dist = join(fixture.root, 'broken');
    const start = async () => {
      await startStep({
        folder,
        launch: fixture.script(''),
        node: process.execPath,
        dist,
        environment: fixture.environment,
      });
      await poll('the loss', 10_000, async () =>
        (await readStep(folder)).state === 'lost' ? true : undefined,
      );
    };
    await start();
    await start();
    await start();
    await assert.rejects(
      start(),
      (error: AgentKitError) =>
        error.reason === 'internal' &&
        /died 3 times/.test(error.message) &&
        /supervisor\.js/.test(error.message),
    );
  });

  it('says so when the supervisor cannot be started at all', async () => {
    const folder = fixture.folder();
    await assert.rejects(
      startStep({
        folder,
        launch: fixture.script(''),
        node: join(fixture.root, 'no-node'),
        dist: fixture.dist,
        environment: fixture.environment,
      }),
      (error: AgentKitError) => error.reason === 'not_installed' && /no-node/.test(error.message),
    );
    assert.equal((await readStep(folder)).state, 'absent');
  });

  it('goes on and keeps its result when whoever started it dies right after', async () => {
    const folder = fixture.folder();
    const request = {
      folder,
      launch: fixture.script('setTimeout(() => console.log("survived"), 500)'),
      node: process.execPath,
      dist: fixture.dist,
      environment: fixture.environment,
    };
    const steps = new URL('../../../src/engine/process/steps.ts', import.meta.url).href;
    const program = join(fixture.root, 'starter.mjs');
    writeFileSync(
      program,
      `import { startStep } from ${JSON.stringify(steps)};
       await startStep(${JSON.stringify(request)}); process.kill(process.pid, "SIGKILL");`,
    );
    const starter = spawn(process.execPath, [program], { stdio: 'inherit' });
    const signal = await new Promise((resolve) => starter.once('exit', (_code, by) => resolve(by)));
    assert.equal(signal, 'SIGKILL');
    assert.equal((await fixture.result(folder)).outcome, 'succeeded');
  });

  it('counts a supervisor of an earlier start of the machine as dead, whatever has its id now', async () => {
    const { folder, supervisor } = await running(fixture.script(sleeper('boot.pid')));
    const other = fixture.folder();
    await fixture.run(fixture.script(''), other);
    const files = stepFiles(folder);
    const claim = JSON.stringify({ ...supervisor, boot: 'another-boot' });
    writeFileSync(files.claim, claim);
    assert.equal((await readStep(folder)).state, 'lost');
    writeFileSync(files.claim, JSON.stringify({ ...supervisor, started: '1' }));
    assert.equal((await readStep(folder)).state, 'lost');
    writeFileSync(files.claim, JSON.stringify(supervisor));
    assert.equal((await readStep(folder)).state, 'running');
    process.kill(supervisor.pid, 'SIGTERM');
    await fixture.result(folder);
  });
});
