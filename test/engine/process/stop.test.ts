import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { readStep, requestStop } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { poll, StepFixture, kill, untilDead } from './stepFixture.ts';

/** Sleeps long and leaves its process id in a file. */
const sleeper = (file: string) =>
  `require("fs").writeFileSync("${file}", String(process.pid)); setTimeout(() => {}, 99_000);`;
const stubborn = 'process.on("SIGTERM", () => {});';
/** Starts another program as child, optionally out of our group. */
const parent = (code: string, options = '{}') =>
  `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(code)}], ${options});`;

describe('stopping a step', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  it('kills the child of a child at the timeout', async () => {
    const code = parent(sleeper('grandchild.pid')) + sleeper('child.pid');
    const folder = await fixture.start(fixture.script(code, { timeout_s: 2 }));
    const [child, grandchild] = [
      await fixture.processIn('child.pid'),
      await fixture.processIn('grandchild.pid'),
    ];
    const result = await fixture.result(folder);
    assert.equal(result.outcome, 'timeout');
    assert.match(result.message ?? '', /time of 2 s/);
    assert.equal(isAlive(child) || isAlive(grandchild), false);
  });

  it('stops on request, also a child in a session of its own that ignores SIGTERM', async () => {
    const away = parent(stubborn + sleeper('away.pid'), '{ detached: true, stdio: "ignore" }');
    const folder = await fixture.start(fixture.script(away + stubborn + sleeper('stubborn.pid')));
    const processes = [await fixture.processIn('stubborn.pid'), await fixture.processIn('away.pid')];
    await requestStop(folder);
    const result = await fixture.result(folder);
    assert.deepEqual([result.outcome, result.unanswered], ['stopped', undefined]);
    assert.deepEqual(processes.map(isAlive), [false, false]);
  });

  it('is a stop, not a success, when the agent ends well on SIGTERM', async () => {
    const record = JSON.stringify({
      type: 'result',
      ok: true,
      text: 'ok',
      usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    });
    const polite = `process.on("SIGTERM", () => { console.log(${JSON.stringify(record)}); process.exit(0); });`;
    const folder = await fixture.start(
      fixture.script(polite + sleeper('polite.pid'), { role: 'agent', kind: 'demo' }),
    );
    await fixture.processIn('polite.pid');
    await requestStop(folder);
    const result = await fixture.result(folder);
    assert.deepEqual([result.outcome, result.exit, result.result_text], ['stopped', 0, 'ok']);
  });

  for (const [how, code] of [
    ['by its signal', sleeper('down.pid')],
    [
      'with the exit code of a shell whose program was ended',
      `process.on("SIGTERM", () => process.exit(143)); ${sleeper('down.pid')}`,
    ],
  ] as const)
    it(`is a stop when a shutdown ends the process first, ${how}, and a failure when it alone is ended`, async () => {
      const endFirst = async (andSupervisor: boolean) => {
        rmSync(join(fixture.root, 'down.pid'), { force: true });
        const folder = await fixture.start(fixture.script(code));
        const child = await fixture.processIn('down.pid');
        process.kill(child.pid, 'SIGTERM');
        await untilDead(child);
        const { status } = await readStep(folder);
        if (andSupervisor) process.kill(status!.supervisor.pid, 'SIGTERM');
        return (await fixture.result(folder)).outcome;
      };
      assert.equal(await endFirst(true), 'stopped');
      assert.equal(await endFirst(false), 'failed');
    });

  it('starts nothing when it was asked to stop before, and does when not', async () => {
    const launch = fixture.script('require("fs").appendFileSync("started.txt", "x")');
    const folder = fixture.folder();
    mkdirSync(folder, { recursive: true });
    await requestStop(folder);
    const result = await fixture.run(launch, folder);
    assert.deepEqual([result.outcome, result.exit], ['stopped', null]);
    assert.equal((await readStep(folder)).stopping, true);
    assert.equal(existsSync(stepFiles(folder).processes), false);
    assert.equal(existsSync(join(fixture.root, 'started.txt')), false);
    await fixture.run(launch);
    assert.equal(existsSync(join(fixture.root, 'started.txt')), true);
  });

  it('does nothing for a step that was never started', async () => {
    const folder = fixture.folder();
    await requestStop(folder);
    assert.equal((await readStep(folder)).state, 'absent');
  });

  it('ends what a process leaves behind in its group when it ends by itself', async () => {
    const folder = await fixture.start(
      fixture.launch({ argv: ['/bin/sh', '-c', 'sleep 98 & echo $! > left.pid; echo done'] }),
    );
    const result = await fixture.result(folder);
    assert.equal(result.outcome, 'succeeded');
    assert.ok(result.duration_s < 4, `took ${result.duration_s} s`);
    const left = Number(readFileSync(join(fixture.root, 'left.pid'), 'utf8'));
    const identity = processIdentity(left);
    assert.ok(!identity || !isAlive(identity), `${left} still runs`);
  });

  it('waits for nobody who holds the pipes open', async () => {
    const hold = `setsid sleep 97 & echo $! > holder.pid`;
    const folder = await fixture.start(fixture.launch({ argv: ['/bin/sh', '-c', hold] }));
    const holder = await fixture.processIn('holder.pid').catch(() => null);
    const result = await fixture.result(folder);
    assert.equal(result.outcome, 'succeeded');
    assert.ok(result.duration_s < 8, `took ${result.duration_s} s`);
    if (holder && isAlive(holder)) {
      assert.match(
        JSON.stringify(fixture.transcript(folder)),
        new RegExp(`Process ${holder.pid} carries the mark`),
      );
      kill(holder.pid);
    }
  });

  it('spares a process of another attempt, wherever it was started', async () => {
    const env = '{ env: { ...process.env, AGENTKIT_ATTEMPT: "other/lane/1" }, stdio: "ignore" }';
    const away = env.replace('{ env', '{ detached: true, env');
    const code =
      parent(sleeper('other.pid'), env) + parent(sleeper('otherAway.pid'), away) + sleeper('mine.pid');
    const folder = await fixture.start(fixture.script(code));
    const mine = await fixture.processIn('mine.pid');
    const others = [await fixture.processIn('other.pid'), await fixture.processIn('otherAway.pid')];
    try {
      await requestStop(folder);
      await fixture.result(folder);
      assert.equal(isAlive(mine), false);
      assert.deepEqual(others.map(isAlive), [true, true]);
    } finally {
      others.forEach(({ pid }) => kill(pid));
      await Promise.all(others.map((other) => untilDead(other)));
    }
  });

  it('sees a stop file that anybody writes', async () => {
    const folder = await fixture.start(fixture.script(sleeper('plain.pid')));
    await fixture.processIn('plain.pid');
    writeFileSync(join(folder, 'stop'), 'please');
    assert.equal((await fixture.result(folder)).outcome, 'stopped');
    await poll('its end', 5_000, async () => ((await readStep(folder)).state === 'ended' ? true : undefined));
  });
});
