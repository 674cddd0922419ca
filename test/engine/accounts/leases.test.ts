import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { listLeases, releaseLease, takeLease } from '../../../src/engine/accounts/leases.ts';
import { endLostStep } from '../../../src/engine/process/endLostStep.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { stateFiles } from '../../../src/engine/store/paths.ts';
import { userFolders } from '../../../src/engine/store/userFolders.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { kill, poll, StepFixture, untilDead } from '../process/stepFixture.ts';

const module = new URL('../../../src/engine/accounts/leases.ts', import.meta.url).href;

describe('leases', function () {
  this.timeout(30_000);
  let fixture: StepFixture;
  beforeEach(() => (fixture = new StepFixture()));
  afterEach(() => fixture.close());

  const take = (account: string, owner: string, holder = fixture.folder()) =>
    takeLease({ account, owner, holder, environment: fixture.environment });
  const list = async () =>
    (await listLeases({ environment: fixture.environment })).map(
      ({ account, owner }) => `${account} ${owner}`,
    );

  /** Takes a lease in a process of its own, which has ended once this resolves. */
  async function takeElsewhere(account: string, owner: string, holder: string): Promise<string> {
    const request = JSON.stringify({ account, owner, holder, environment: fixture.environment });
    const code = `import { takeLease } from ${JSON.stringify(module)}; console.log(await takeLease(${request}));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data) => (said += String(data)));
    await new Promise((resolve) => child.once('close', resolve));
    return said.trim();
  }

  it('gives an account to one writer, and to the next after its release', async () => {
    assert.equal(await take('demo/@one', 'r1/a'), true);
    assert.equal(await take('demo/@one', 'r1/b'), false);
    assert.equal(await take('demo/@two', 'r1/b'), true);
    assert.deepEqual(await list(), ['demo/@one r1/a', 'demo/@two r1/b']);
    await releaseLease({ owner: 'r1/a', environment: fixture.environment });
    assert.deepEqual(await list(), ['demo/@two r1/b']);
    assert.equal(await take('demo/@one', 'r1/b'), true);
  });

  it('gives it to exactly one of many who ask at once', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((lane) => take('demo/@one', `r1/${lane}`)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal((await list()).length, 1);
  });

  it('says what to do with a damaged list, and works once that is done', async () => {
    assert.equal(await take('demo/@one', 'r1/a'), true);
    const file = stateFiles(userFolders(fixture.environment).state).leases;
    writeFileSync(file, '{"version":1,"leases":[');
    for (const act of [list, () => take('demo/@two', 'r1/b')])
      await rejectsWith(act(), 'invalid_input', file, 'delete it when no agent runs');
    rmSync(file);
    assert.equal(await take('demo/@one', 'r1/b'), true);
  });

  it('may be taken again by its owner', async () => {
    assert.equal(await take('demo/@one', 'r1/a'), true);
    assert.equal(await take('demo/@one', 'r1/a'), true);
    assert.deepEqual(await list(), ['demo/@one r1/a']);
  });

  it('lapses with a process that has died, unless its step still runs', async () => {
    assert.equal(await takeElsewhere('demo/@one', 'r1/a', fixture.folder()), 'true');
    assert.deepEqual(await list(), []);
    const folder = await fixture.start(fixture.script('setTimeout(() => {}, 30_000)'));
    const status = await poll('a status', 20_000, async () => (await readStep(folder)).status);
    assert.equal(await takeElsewhere('demo/@one', 'r1/a', folder), 'true');
    assert.deepEqual(await list(), ['demo/@one r1/a']);
    assert.equal(await take('demo/@one', 'r1/b'), false);
    process.kill(status.supervisor.pid, 'SIGTERM');
    await fixture.result(folder);
    assert.equal(await take('demo/@one', 'r1/b'), true);
  });

  it('stays while an agent lives on without its supervisor, and lapses when that was ended', async () => {
    const folder = await fixture.start(fixture.script('setTimeout(() => {}, 30_000)'));
    const supervisor = await poll('a running child', 20_000, async () => {
      const { status } = await readStep(folder);
      return status?.state === 'running' ? status.supervisor : undefined;
    });
    assert.equal(await takeElsewhere('demo/@one', 'r1/a', folder), 'true');
    process.kill(supervisor.pid, 'SIGKILL');
    await untilDead(supervisor);
    assert.equal(await take('demo/@one', 'r1/b'), false);
    await endLostStep(folder);
    assert.equal(await take('demo/@one', 'r1/b'), true);
  });

  it('stays while an agent lives on though the folder of its step was deleted, and lapses with it', async () => {
    const folder = await fixture.start(fixture.script('setTimeout(() => {}, 30_000)'));
    const child = await poll(
      'a running child',
      20_000,
      async () => (await readStep(folder)).status?.child_pid,
    );
    assert.equal(await takeElsewhere('demo/@one', 'r1/a', folder), 'true');
    assert.equal(await takeElsewhere('demo/@two', 'r1/gone', fixture.folder()), 'true');
    rmSync(folder, { recursive: true });
    assert.deepEqual(await list(), ['demo/@one r1/a']);
    assert.equal(await take('demo/@one', 'r1/b'), false);
    assert.ok(child);
    kill(child);
    await poll('the lapse', 10_000, async () => (await list()).length === 0 || undefined);
    assert.equal(await take('demo/@one', 'r1/b'), true);
  });
});
