import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSignal } from '../../../src/engine/agents/agentKind.ts';
import type { Launch, StepStatus } from '../../../src/engine/process/launch.ts';
import { readStep, requestStop } from '../../../src/engine/process/steps.ts';
import { poll, StepFixture } from './stepFixture.ts';

const print = (...signals: AgentSignal[]) => `console.log(${JSON.stringify(JSON.stringify(signals))});`;
const asks: AgentSignal = { type: 'waiting', reason: 'permission', message: 'May it run rm?' };
const works: AgentSignal = { type: 'progress', line: { kind: 'tool', text: 'write a.txt' } };
const forEver = 'setInterval(() => {}, 60_000);';
/** Goes on once there is a file of this name. */
const when = (file: string, code: string) =>
  `const wait = setInterval(() => { if (require('fs').existsSync('${file}')) { clearInterval(wait); ${code} } }, 500);`;
/** Uses about a tenth of a CPU, and says nothing. */
const burn = 'setInterval(() => { for (const end = Date.now() + 20; Date.now() < end;); }, 200);';
const child = (code: string) =>
  `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], { stdio: 'ignore' });`;

describe('a stall of an agent', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => {
    fixture = new StepFixture();
    const supervisor = new URL('toldKind.ts', import.meta.url).href;
    writeFileSync(join(fixture.dist, 'supervisor.js'), `import(${JSON.stringify(supervisor)});\n`);
  });
  after(() => fixture.close());

  const start = (code: string, change: Partial<Launch> = {}) =>
    fixture.start(fixture.script(code, { role: 'agent', kind: 'told', stall_after_s: 2, ...change }));

  const statusWith = (folder: string, wanted: (status: StepStatus) => boolean) =>
    poll(`a status of ${folder}`, 30_000, async () => {
      const { status } = await readStep(folder);
      return status && wanted(status) ? status : undefined;
    });

  const stop = async (folder: string) => {
    await requestStop(folder);
    await fixture.result(folder);
  };

  it('is told in its status, ends nothing, and is over with the next word', async () => {
    const folder = await start(print(works) + when('go-on', print(works)) + forEver);
    const { stalled_since: since } = await statusWith(folder, (status) => status.stalled_since !== undefined);
    const { status } = await readStep(folder);
    assert.ok(Date.parse(since ?? '') <= Date.now() - 2_000, since);
    assert.equal(status?.state, 'running');
    writeFileSync(join(fixture.root, 'go-on'), '');
    await statusWith(folder, (each) => each.stalled_since === undefined);
    await stop(folder);
    assert.equal((await readStep(folder)).status?.stalled_since, undefined);
  });

  it('is told for a check too, and is gone from its status at the end', async () => {
    const folder = await start(forEver, { role: 'check' });
    await statusWith(folder, (status) => status.stalled_since !== undefined);
    await stop(folder);
    await statusWith(folder, (status) => status.state === 'ended' && status.stalled_since === undefined);
  });

  it('is neither a child that works without a word, nor an agent that waits for a person', async () => {
    const busy = await start(print(works) + child(burn) + forEver);
    // What its children do is no sign that it waits no more.
    const waiting = await start(print(asks) + child(burn) + forEver, { waiting_timeout_s: 60 });
    // Started last with the same bound: when this one has stalled, the others would have, too.
    await statusWith(waiting, (status) => status.waiting !== undefined);
    await statusWith(busy, (status) => status.activity === 'write a.txt');
    const idle = await start(forEver);
    await statusWith(idle, (status) => status.stalled_since !== undefined);
    for (const folder of [busy, waiting]) {
      const { status } = await readStep(folder);
      assert.equal(status?.stalled_since, undefined, folder);
      assert.equal(status?.state, 'running');
    }
    assert.equal((await readStep(waiting)).status?.waiting?.reason, 'permission');
    await Promise.all([busy, waiting, idle].map(stop));
  });

  it('is not the sleep of the machine: a supervisor that slept begins to watch anew', async () => {
    const folder = await start(print(works) + forEver, { stall_after_s: 3 });
    const { supervisor } = await statusWith(folder, (status) => status.activity === 'write a.txt');
    process.kill(supervisor.pid, 'SIGSTOP');
    const woken = performance.now() + 4_000;
    await poll('the end of the sleep', 20_000, () => performance.now() > woken || undefined);
    process.kill(supervisor.pid, 'SIGCONT');
    const { stalled_since: since } = await statusWith(folder, (status) => status.stalled_since !== undefined);
    assert.ok(performance.now() - woken >= 3_000, `${performance.now() - woken} ms after it woke`);
    assert.ok(since);
    await stop(folder);
  });
});
