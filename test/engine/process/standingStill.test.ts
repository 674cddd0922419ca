import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSignal } from '../../../src/engine/agents/agentKind.ts';
import type { Launch, StepStatus } from '../../../src/engine/process/launch.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { poll, StepFixture, untilDead } from './stepFixture.ts';

const asks: AgentSignal = { type: 'waiting', reason: 'permission', message: 'May it run rm?' };
const note: AgentSignal = { type: 'progress', line: { kind: 'note', text: 'still trying' } };
const works: AgentSignal = { type: 'progress', line: { kind: 'tool', text: 'write a.txt' } };
const done: AgentSignal = { type: 'result', ok: true, text: 'Done.' };
const offline = { type: 'refused', reason: 'network', message: 'no network' } as const;

const print = (...signals: AgentSignal[]) => `console.log(${JSON.stringify(JSON.stringify(signals))});`;
const complain = (...signals: AgentSignal[]) => `console.error(${JSON.stringify(JSON.stringify(signals))});`;
const later = (ms: number, code: string) => `setTimeout(() => { ${code} }, ${ms});`;
const forEver = 'setInterval(() => {}, 1000);';

describe('an agent that stands still', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => {
    fixture = new StepFixture();
    const supervisor = new URL('toldKind.ts', import.meta.url).href;
    writeFileSync(join(fixture.dist, 'supervisor.js'), `import(${JSON.stringify(supervisor)});\n`);
  });
  after(() => fixture.close());

  const agent = (code: string, change: Partial<Launch> = {}) =>
    fixture.script(code, { role: 'agent', kind: 'told', ...change });

  const statusWith = (folder: string, wanted: (status: StepStatus) => boolean) =>
    poll(`a status of ${folder}`, 15_000, async () => {
      const { status } = await readStep(folder);
      return status && wanted(status) ? status : undefined;
    });

  describe('waiting for a person', () => {
    it('is told within seconds, once for all of the time, and over when the agent goes on', async () => {
      const again = later(1200, print(asks) + complain(note));
      const folder = await fixture.start(agent(print(asks) + again + later(3000, print(works)) + forEver));
      const { waiting } = await statusWith(folder, (status) => status.waiting !== undefined);
      assert.deepEqual([waiting?.reason, waiting?.message], ['permission', 'May it run rm?']);
      const after = await statusWith(folder, (status) => status.activity === 'write a.txt');
      assert.equal(after.waiting, undefined);
      assert.equal(fixture.transcript(folder)[0]?.text, 'its agent asks for a permission: May it run rm?');
    });

    it('is ended after its time, with what was asked', async () => {
      writeFileSync(join(fixture.root, 'asking'), '');
      const pid = `require('fs').writeFileSync('asking', String(process.pid));`;
      const folder = await fixture.start(agent(pid + print(asks) + forEver, { waiting_timeout_s: 1 }));
      const child = await fixture.processIn('asking');
      const result = await fixture.result(folder);
      assert.deepEqual([result.outcome, result.unanswered], ['stopped', true]);
      assert.equal(
        result.message,
        'Interrupted: its agent asks for a permission: May it run rm?; nobody answered within 1 s',
      );
      await untilDead(child);
      await statusWith(folder, ({ state, waiting }) => state === 'ended' && waiting === undefined);
    });

    it('is not ended where the agent went on in time, however short that was', async () => {
      const code = print(asks) + later(300, print(works)) + later(2000, print(done));
      const result = await fixture.run(agent(code, { waiting_timeout_s: 1 }));
      assert.equal(result.outcome, 'succeeded');
    });

    it('does not begin anew by asking for something else', async () => {
      const other = later(700, print({ ...asks, message: 'And ls?' }));
      const result = await fixture.run(agent(print(asks) + other + forEver, { waiting_timeout_s: 1 }));
      assert.match(result.message ?? '', /And ls\?; nobody answered within 1 s/);
      assert.ok(result.duration_s < 2.5, `${result.duration_s} s`);
    });

    it('is told without secrets', async () => {
      const secret = `ghp_${'a1B2'.repeat(9)}`;
      const folder = await fixture.start(agent(print({ ...asks, message: `Use ${secret}?` }) + forEver));
      const { waiting } = await statusWith(folder, (status) => status.waiting !== undefined);
      assert.doesNotMatch(JSON.stringify(waiting), /a1B2a1B2/);
      assert.match(waiting?.message ?? '', /^Use .+\?$/);
    });
  });

  describe('in a CLI that would hang', () => {
    it('is ended at once and has failed for the refusal', async () => {
      const result = await fixture.run(agent(print({ ...offline, hangs: true }) + forEver));
      assert.deepEqual([result.outcome, result.refused], ['failed', refusal()]);
      assert.equal(result.message, 'Ended, for it would hang: no network');
    });

    it('is ended at once and has failed for the limit', async () => {
      const result = await fixture.run(agent(print({ type: 'limit', window: '5h', hangs: true }) + forEver));
      assert.deepEqual([result.outcome, result.limit], ['failed', { window: '5h' }]);
    });

    it('is left alone where the refusal ends by itself', async () => {
      const result = await fixture.run(agent(print(offline) + later(500, print(works, done))));
      assert.deepEqual([result.outcome, result.refused], ['succeeded', undefined]);
    });

    it('gets the time that it may take to get over it, and is ended when it says so again after that', async () => {
      const refused = print(note, { ...offline, hangs: { after_s: 1 } });
      const again = `setInterval(() => { ${refused} }, 400);`;
      const result = await fixture.run(agent(refused + again));
      assert.deepEqual([result.outcome, result.refused], ['failed', refusal()]);
      assert.ok(result.duration_s > 1 && result.duration_s < 3, `${result.duration_s} s`);
    });

    it('goes on where it got over it, and its time begins anew', async () => {
      const refused = print({ ...offline, hangs: { after_s: 1 } });
      const over = later(300, print(works)) + later(1200, refused + print(works)) + later(1900, print(done));
      const result = await fixture.run(agent(refused + over));
      assert.deepEqual([result.outcome, result.refused], ['succeeded', undefined]);
    });
  });

  describe('in a CLI that waits without a word', () => {
    const silent = { ...offline, hangs: { after_s: 1, silent: true } } as const;

    it('is ended when its time is over, though it said so only once', async () => {
      const result = await fixture.run(agent(complain(silent) + later(300, print(note)) + forEver));
      assert.deepEqual([result.outcome, result.refused], ['failed', refusal()]);
      assert.equal(result.message, 'Ended, for it would hang: no network');
      assert.ok(result.duration_s > 1 && result.duration_s < 3, `${result.duration_s} s`);
    });

    it('is left alone where an answer, a tool or a new step showed that it got over it', async () => {
      const step: AgentSignal = { type: 'session', id: 's' };
      for (const over of [works, step]) {
        const result = await fixture.run(
          agent(complain(silent) + later(300, print(over)) + later(1800, print(done))),
        );
        assert.deepEqual([result.outcome, result.refused], ['succeeded', undefined], over.type);
      }
    });

    it('is left alone where one that repeats itself does so no more', async () => {
      const repeats = print({ ...offline, hangs: { after_s: 1 } });
      const result = await fixture.run(agent(repeats + later(1800, print(done))));
      assert.equal(result.outcome, 'succeeded');
    });
  });

  describe('and its refusals', () => {
    const fails: AgentSignal = { type: 'result', ok: false, text: 'It did not work' };
    const refusedBy = async (code: string) => (await fixture.run(agent(code))).refused?.reason;

    it('are read from the error stream too', async () => {
      const login: AgentSignal = { type: 'refused', reason: 'not_logged_in', message: 'no key' };
      assert.equal(await refusedBy(`${complain(login)} process.exitCode = 1`), 'not_logged_in');
      assert.equal(await refusedBy(complain(login) + print(done)), undefined, 'of a run that succeeded');
    });

    it('are told with what it was not permitted to use, and as a person reads them', async () => {
      const refused: AgentSignal = { type: 'result', ok: false, text: '', denied: ['Write', 'Bash'] };
      const words = `console.error('\\u001b[31mNo\\u001b[0m \\u0007trust\\u0008');`;
      const failed = await fixture.run(agent(`${words} ${print(refused)}`));
      assert.equal(
        failed.message,
        'Ended with exit code 0: No trust; it was not permitted to use Write, Bash',
      );
      assert.deepEqual(failed.denied, ['Write', 'Bash']);
      const { outcome, message, denied } = await fixture.run(agent(print({ ...refused, ok: true })));
      assert.deepEqual([outcome, message, denied], ['succeeded', undefined, ['Write', 'Bash']]);
    });

    it('pass with the next answer where they pass by themselves', async () => {
      assert.equal(await refusedBy(print(offline, works, fails)), undefined);
      assert.equal(await refusedBy(print(offline, note, fails)), 'network');
      assert.equal(await refusedBy(print(works, offline, fails)), 'network');
      const billing: AgentSignal = { ...offline, reason: 'billing' };
      assert.equal(await refusedBy(print(billing, works, fails)), 'billing');
    });
  });
});

function refusal() {
  return { reason: offline.reason, message: offline.message };
}
