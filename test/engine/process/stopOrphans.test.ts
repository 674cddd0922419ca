import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import { isAlive } from '../../../src/engine/process/identity.ts';
import { findOrphans } from '../../../src/engine/process/orphans.ts';
import { stopOrphans } from '../../../src/engine/process/stopOrphans.ts';
import { kill, poll, untilDead } from './stepFixture.ts';
import { Runaways, stays, stubborn } from './runawayProcesses.ts';

describe('stopping orphans', function () {
  this.timeout(60_000);
  let runaways: Runaways;
  before(() => (runaways = new Runaways()));
  afterEach(() => runaways.end());
  after(() => runaways.fixture.close());

  const find = (...pids: number[]) =>
    poll('orphans', 10_000, async () => {
      const found = await findOrphans(runaways);
      return found.length === pids.length && found.every(({ pid }) => pids.includes(pid)) ? found : undefined;
    });
  const outcomes = (results: Awaited<ReturnType<typeof stopOrphans>>) =>
    Object.fromEntries(results.map(({ orphan, outcome }) => [orphan.pid, outcome]));
  const quick = () => ({ runsFolder: runaways.runsFolder, dist: runaways.dist, graceMs: 1_000 });

  it('asks first, kills what does not heed, tells what was gone, and frees their ports', async () => {
    const listen = `require('net').createServer().listen(0, '127.0.0.1', function () {
      require('fs').writeFileSync('port', String(this.address().port)); });`;
    const server = await runaways.away('run1/api/1', listen);
    const deaf = await runaways.away('run1/api/1', stubborn);
    const gone = await runaways.away('run1/web/3', stays);
    const orphans = await find(server.pid, deaf.pid, gone.pid);
    const port = await poll(
      'a port',
      10_000,
      async () => (await find(server.pid, deaf.pid, gone.pid)).flatMap(({ ports }) => ports)[0],
    );
    kill(gone.pid);
    await untilDead(gone);
    const results = await stopOrphans(orphans, quick());
    assert.deepEqual(outcomes(results), {
      [server.pid]: 'ended',
      [deaf.pid]: 'killed',
      [gone.pid]: 'gone',
    });
    const messages = results.map(({ message }) => message).join('\n');
    assert.match(messages, new RegExp(`Process ${deaf.pid} did not end when asked and was killed`));
    assert.equal(isAlive(server) || isAlive(deaf), false);
    await new Promise<void>((resolve, reject) => {
      const mine = createServer().once('error', reject);
      mine.listen(port, '127.0.0.1', () => mine.close(() => resolve()));
    });
  });

  it('touches no process that has the id of one by now', async () => {
    const other = await runaways.away('run1/api/1', stays);
    const [orphan] = await find(other.pid);
    assert.ok(orphan);
    const results = await stopOrphans([{ ...orphan, started: '1' }], quick());
    assert.deepEqual(outcomes(results), { [other.pid]: 'gone' });
    assert.equal(isAlive(other), true);
    assert.deepEqual(outcomes(await stopOrphans([orphan], quick())), { [other.pid]: 'ended' });
  });

  describe('spares one that has become', () => {
    const become = (when: string) => `const fs = require('fs');
      const started = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[19];
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const line = JSON.stringify({ type: 'owner', owner: { pid: process.pid, started, boot } });
      ${when}(() => fs.writeFileSync('runs/run1/journal.jsonl', line + '\\n')); ${stays}`;
    const journal = () => runaways.read(join('runs', 'run1', 'journal.jsonl'));

    const spares = async (code: string, wait: (process: ProcessIdentity) => Promise<unknown>) => {
      const owner = await runaways.away('run1/api/1', code);
      const orphans = await find(owner.pid);
      await wait(owner);
      const [result] = await stopOrphans(orphans, quick());
      assert.equal(result?.outcome, 'spared');
      assert.match(result?.message ?? '', /no orphan any more and was left alone/);
      assert.equal(isAlive(owner), true);
      assert.match(journal(), new RegExp(`"pid":${owner.pid},`));
      kill(owner.pid);
      await untilDead(owner);
    };

    it('the owner of a run before it was asked to end', async () => {
      const file = runaways.write('later', '');
      const later = `(act => { const each = setInterval(() => {
        if (fs.readFileSync(${JSON.stringify(file)}, 'utf8') === 'now') { clearInterval(each); act(); } }, 50); })`;
      await spares(become(later), async ({ pid }) => {
        runaways.write('later', 'now');
        await poll('the journal', 10_000, () => {
          try {
            return journal().includes(`"pid":${pid},`) || undefined;
          } catch {
            return undefined;
          }
        });
      });
    });

    it('it before it would have been killed', async () => {
      await spares(become(`(act => process.on('SIGTERM', act))`), () => Promise.resolve());
    });
  });
});
