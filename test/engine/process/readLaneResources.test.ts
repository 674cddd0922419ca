import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { readLaneResources } from '../../../src/engine/process/readLaneResources.ts';
import { readStep, requestStop } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { poll } from './stepFixture.ts';
import { Runaways, stays } from './runawayProcesses.ts';

describe('what a lane takes of the machine', function () {
  this.timeout(60_000);
  let runaways: Runaways;
  before(() => (runaways = new Runaways()));
  afterEach(() => runaways.end());
  after(() => runaways.fixture.close());

  const listen = `require('net').createServer().listen(0, '127.0.0.1'); `;
  const burn = `for (const end = Date.now() + 300; Date.now() < end;); ${stays}`;
  const child = (code: string, more = '') =>
    `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], { stdio: 'ignore', ${more} });`;

  /** A supervisor lives for a moment after it has left its result. */
  const ended = (folder: string) =>
    poll('its end', 10_000, async () => ((await readLaneResources({ folder })) === null ? true : undefined));

  it('is the sum over its supervisor, its agent and all that these started, while anything runs', async () => {
    const { fixture } = runaways;
    const told = runaways.tellsPid();
    const other = `env: { ...process.env, AGENTKIT_ATTEMPT: 'run1/other/1', AGENTKIT_STEP: '/elsewhere' }`;
    const code =
      child(listen, 'detached: true') +
      child(burn, 'env: {}') +
      child(`${told.code} ${listen}`, other) +
      stays;
    const folder = runaways.step('api/attempt-1');
    const runFolder = join(runaways.runsFolder, 'run1');
    assert.equal(await readLaneResources({ folder }), null);
    await fixture.start(fixture.script(code, { env: { AGENTKIT_ATTEMPT: 'run1/api/1' } }), folder);
    const { pid } = await runaways.known(told.file);
    for (const request of [{ folder }, { mark: 'run1/api/1', runFolder }]) {
      const found = await poll('all of it', 20_000, async () => {
        const resources = await readLaneResources(request);
        const isThere = resources?.processes === 4 && resources.ports.length === 1 && resources.cpu_s > 0.3;
        return isThere ? resources : undefined;
      });
      assert.ok(found.rss_bytes > 4 * 10_000_000, `${found.rss_bytes}`);
    }
    assert.equal(await readLaneResources({ mark: 'run1/api/1', runFolder: '/elsewhere' }), null);
    const port = await poll('its port', 20_000, () => Promise.resolve(platform.ports([pid]).get(pid)));
    const others = await readLaneResources({ mark: 'run1/other/1', runFolder: '/elsewhere' });
    assert.deepEqual(others?.ports, port);
    assert.equal(others?.processes, 1);
    await requestStop(folder);
    await fixture.result(folder);
    await ended(folder);
    assert.equal((await readStep(folder)).state, 'ended');
  });

  it('cannot be told of a step whose record is damaged', async () => {
    const { fixture } = runaways;
    const folder = runaways.step('web/attempt-1');
    await fixture.run(fixture.script('', { env: { AGENTKIT_ATTEMPT: 'run1/web/1' } }), folder);
    await ended(folder);
    writeFileSync(stepFiles(folder).processes, '{');
    await rejectsWith(readLaneResources({ folder }), 'invalid_input', 'processes.json');
  });
});
