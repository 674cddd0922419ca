import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rejectsWith } from '../git/rejectsWith.ts';
import { CountingKind } from './countingKind.ts';

describe('confirmAccount', () => {
  let root = '';
  let vendor = new CountingKind();
  let environment: Record<string, string> = {};
  const desk = () => vendor.desk(environment, () => new Date());
  const confirm = () => desk().confirm('remote', '@a');

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'agentkit-confirm-'));
    environment = { HOME: root };
    vendor = new CountingKind();
    await vendor.add(environment, '@a');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('goes on where the login is the one that was last read, or none ever was', async () => {
    await confirm();
    await desk().read({});
    await confirm();
    assert.deepEqual(vendor.asked, ['@a'], 'it asks no vendor');
  });

  it('stops at another login, until that was read', async () => {
    await desk().read({});
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'somebody else' });
    await rejectsWith(confirm(), 'wrong_account', 'remote/@a', 'nothing was sent', 'ak usage remote');
    await desk().read({ maxAgeS: 0 });
    await confirm();
  });

  it('stops at a login without a name where there was one, until that was read', async () => {
    await desk().read({});
    vendor.probe = () => ({ version: '1', login: 'ok' });
    await rejectsWith(confirm(), 'wrong_account', 'remote/@a', 'has no name', 'ak usage remote');
    await desk().read({ maxAgeS: 0 });
    await confirm();
    vendor.probe = () => ({ version: '1', login: 'ok', identity: '@a' });
    await confirm();
  });

  it('goes on where the CLI does not say who it is', async () => {
    await desk().read({});
    vendor.probe = () => ({ version: '1', login: 'unknown' });
    await confirm();
  });

  it('stops where the CLI did not answer in time, whatever was read before, and goes on once it does', async () => {
    await desk().read({});
    vendor.probe = () => ({ version: '1', login: 'unknown', late: true, problem: 'no answer' });
    await rejectsWith(confirm(), 'timeout', 'remote/@a: no answer');
    vendor.probe = () => ({ version: '1', login: 'ok', identity: '@a' });
    await confirm();
  });

  it('stops at a salt that is damaged, and goes on once that is deleted', async () => {
    await confirm();
    await desk().read({});
    const file = join(root, '.local/state/agentkit/identity.salt');
    for (const salt of ['', readFileSync(file, 'utf8').slice(1)]) {
      writeFileSync(file, salt);
      await rejectsWith(confirm(), 'invalid_input', file, 'delete it');
    }
    rmSync(file);
    await desk().read({ maxAgeS: 0 });
    await confirm();
  });

  it('stops without the CLI or a login, with its cure', async () => {
    vendor.probe = () => ({ version: null, login: 'unknown', problem: 'install it' });
    await rejectsWith(confirm(), 'not_installed', 'install it');
    vendor.probe = () => ({ version: '1', login: 'not_logged_in', problem: 'log in with: x' });
    await rejectsWith(confirm(), 'not_logged_in', 'remote/@a: log in with: x');
  });
});
