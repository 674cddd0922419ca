import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountDesk } from '../../../src/engine/accounts/accountDesk.ts';
import { confirmHeld } from '../../../src/engine/accounts/confirmHeld.ts';
import { listLeases, releaseLease, takeLease } from '../../../src/engine/accounts/leases.ts';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { addProfile } from '../../../src/engine/accounts/profiles.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { poll } from '../process/stepFixture.ts';
import { CountingKind } from './countingKind.ts';

const accounts = new URL('../../../src/engine', import.meta.url).href;

describe('leases by slot and login', function () {
  this.timeout(120_000);
  let root = '';
  let environment: Record<string, string> = {};
  let vendor = new CountingKind();
  let desk: AccountDesk;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "agentkit slots' ü "));
    environment = { HOME: root, PATH: process.env['PATH'] ?? '' };
    vendor = new CountingKind();
    await vendor.add(environment, '@a', '@b');
    desk = vendor.desk(environment, () => new Date());
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const file = () => join(root, '.local/state/agentkit/leases.json');
  const take = (owner: string, more: object = {}) =>
    takeLease({ account: 'remote/@a', owner, environment, ...more });

  it('gives three accounts to three of twenty processes that pick at once', async () => {
    const demo = createKinds({ node: 'node', dist: 'dist', environment }).get('demo')!;
    for (const name of ['@one', '@two', '@three']) await addProfile(demo, name, environment);
    const code = `
      import { pickAndLease } from ${JSON.stringify(`${accounts}/accounts/pickAndLease.ts`)};
      import { usageKinds } from ${JSON.stringify(`${accounts}/agents/usageKinds.ts`)};
      const environment = ${JSON.stringify(environment)};
      const kinds = await usageKinds('demo', { node: process.execPath, dist: '.', environment });
      const owner = { owner: String(process.pid), pid: process.ppid };
      const options = { kinds, environment, now: () => new Date() };
      const { chosen, leases } = await pickAndLease({ kind: 'demo' }, owner, options);
      console.log(JSON.stringify([chosen.map(({ profile }) => profile), leases.map(({ account }) => account)]));`;
    const said = await Promise.all(Array.from({ length: 20 }, () => outputOf(code)));
    const won = said
      .map((text) => JSON.parse(text) as [string[], string[]])
      .filter(([chosen]) => chosen.length > 0);
    assert.deepEqual(won.flatMap(([chosen]) => chosen).toSorted(), ['@one', '@three', '@two']);
    assert.ok(won.every(([[profile], [account]]) => account === `demo/${profile}`));
    assert.equal((await listLeases({ environment })).length, 3);
  });

  /** What a program prints that runs in a process of its own. */
  async function outputOf(code: string): Promise<string> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data) => (said += String(data)));
    await new Promise((resolve) => child.once('close', resolve));
    return said;
  }

  it('gives one account, under two names, to one writer', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me' });
    await desk.read({});
    assert.equal(await take('one'), true);
    assert.equal(await take('two', { account: 'remote/@b' }), false);
    await rejectsWith(desk.lease('remote/@b', { owner: 'two' }), 'conflict', 'remote/@b is in use');
    await releaseLease({ owner: 'one', environment });
    assert.equal(await take('two', { account: 'remote/@B' }), true);
    assert.equal(await take('one'), false);
  });

  it('gives as many writers as the person says, one after another', async () => {
    assert.equal(await take('one'), true);
    assert.equal(await take('two'), false);
    await desk.setAccount('remote/@A', { slots: 2 });
    assert.equal(await take('two'), false, 'the first has only just begun');
    assert.equal(await take('one'), true, 'but may renew its own');
    await poll('the second writer', 10_000, async () => ((await take('two')) ? true : undefined));
    assert.equal(await take('three'), false);
    const begun = (await listLeases({ environment })).map(({ taken_at }) => Date.parse(taken_at)).toSorted();
    assert.ok((begun[1] ?? 0) - (begun[0] ?? 0) >= 3000, 'their starts are apart');
  });

  it('keeps others out for as long as it is held', async () => {
    assert.equal(await take('one'), true);
    shiftLeases(-60);
    assert.equal(await take('two'), false);
    await desk.setAccount('remote/@a', { slots: 2 });
    assert.equal(await take('two'), true);
    shiftLeases(-60);
    assert.equal(await take('three'), false);
  });

  /** Lets every lease have been taken some seconds from now. */
  function shiftLeases(seconds: number): void {
    const { leases } = JSON.parse(readFileSync(file(), 'utf8')) as { leases: object[] };
    const taken_at = new Date(Date.now() + seconds * 1000).toISOString();
    writeFileSync(
      file(),
      JSON.stringify({ version: 1, leases: leases.map((each) => ({ ...each, taken_at })) }),
    );
  }

  it('is shared by whoever only reads', async () => {
    assert.equal(await take('writer'), true);
    assert.equal(await take('reader', { mode: 'read' }), true);
    await releaseLease({ owner: 'writer', environment });
    assert.equal(await take('another'), true, 'a reader keeps no writer out');
    const { chosen, leases } = await desk.pickAndLease({ kind: 'remote' }, { owner: 'second', mode: 'read' });
    assert.deepEqual([chosen[0]?.profile, leases[0]?.mode], ['@a', 'read']);
  });

  it('lasts for a time only where no process owns it, and not longer when the clock is set back', async () => {
    const lease = await desk.lease('remote/@a', { owner: 'script', ttlS: 3600 });
    assert.deepEqual([lease.process, lease.holder, lease.ttl_s], [null, null, 3600]);
    assert.equal(await take('other'), false);
    for (const shift of [-3601, 3700]) {
      shiftLeases(shift);
      assert.deepEqual(await listLeases({ environment }), [], `taken ${shift} s from now`);
    }
    assert.equal(await take('other'), true);
  });

  it('lives with the process that is named, and with none that is not there', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? 0;
    await desk.lease('remote/@a', { owner: 'shell', pid });
    assert.equal(await take('other'), false);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    await rejectsWith(desk.lease('remote/@a', { owner: 'shell', pid }), 'not_found', 'no process');
    assert.equal(await take('other'), true);
  });

  it('is given back by its id, and refused for what nobody may take', async () => {
    const lease = await desk.lease('remote/@1'.replace('1', 'A'), { owner: 'me', ttlS: 60 });
    assert.equal(lease.account, 'remote/@a');
    await rejectsWith(desk.releaseLease('nonsense'), 'not_found', `${lease.id} (remote/@a)`);
    assert.equal((await desk.releaseLease(lease.id)).owner, 'me');
    assert.deepEqual(await desk.leases(), []);
    await rejectsWith(desk.lease('remote/@none', { owner: 'me' }), 'not_found');
    await rejectsWith(desk.lease('remote', { owner: 'me' }), 'invalid_input');
    await desk.setAccount('remote/@a', { exclude: true });
    await rejectsWith(desk.lease('remote/@a', { owner: 'me' }), 'refused', 'excluded by your settings');
  });

  describe('of a login that nobody has read', () => {
    const run = async (name: string, owner: string, mode: 'write' | 'read' = 'write') => {
      const account = `remote/${name}`;
      assert.equal(await takeLease({ account, owner, mode, environment }), true);
      const profile = await desk.profile('remote', name);
      await confirmHeld({ kind: vendor.kind, profile, environment, owner });
    };
    beforeEach(() => (vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me' })));

    it('give it to one of two writers that begin at once under two of its profiles', async () => {
      const ends = await Promise.allSettled([run('@a', 'one'), run('@b', 'two')]);
      const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as AgentKitError] : []));
      assert.deepEqual(
        lost.map(({ reason }) => reason),
        ['conflict'],
      );
      assert.match(lost[0]?.message ?? '', /in use under another profile of its login/);
      assert.equal((await listLeases({ environment })).length, 1, 'the loser has given its lease back');
      assert.deepEqual(vendor.asked, [], 'no vendor is asked');
    });

    it('give it to a reader beside a writer, and to both where the logins are two', async () => {
      await run('@a', 'one');
      await run('@b', 'reader', 'read');
      vendor.probe = (name) => ({ version: '1', login: 'ok', identity: name });
      await vendor.add(environment, '@c', '@d');
      await Promise.all([run('@c', 'three'), run('@d', 'four')]);
    });

    it('give it to as many as the person says for one of its profiles, whichever is named', async () => {
      await desk.setAccount('remote/@a', { slots: 2 });
      await run('@a', 'one');
      await run('@b', 'two');
      await vendor.add(environment, '@c');
      await rejectsWith(run('@c', 'three'), 'conflict');
      shiftLeases(-60);
      await releaseLease({ owner: 'one', environment });
      assert.equal(await take('again', { account: 'remote/@b' }), true, 'the slots are those of the login');
    });

    it('give it to nobody when the person excluded it under any name', async () => {
      await desk.setAccount('remote/@a', { exclude: true });
      await rejectsWith(desk.lease('remote/@a', { owner: 'one' }), 'refused', 'excluded by your settings');
      await rejectsWith(desk.lease('remote/@b', { owner: 'two' }), 'refused', 'another profile of its login');
      await rejectsWith(run('@b', 'three'), 'refused', 'excluded by your settings');
      await desk.setAccount('remote/@a', { exclude: false });
      await releaseLease({ owner: 'three', environment });
      await run('@b', 'four');
    });

    it('are taken by name only once it is known whose it is', async () => {
      await desk.lease('remote/@a', { owner: 'script', ttlS: 60 });
      await rejectsWith(desk.lease('remote/@b', { owner: 'other', ttlS: 60 }), 'conflict');
      vendor.probe = () => ({ version: '1', login: 'ok', identity: 'you' });
      await vendor.add(environment, '@c');
      await desk.lease('remote/@c', { owner: 'other', ttlS: 60 });
      assert.deepEqual(vendor.asked, []);
    });
  });
});
