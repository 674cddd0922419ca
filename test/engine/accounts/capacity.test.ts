import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rejectsWith } from '../git/rejectsWith.ts';
import { CountingKind, fiveHours } from './countingKind.ts';

describe('whose capacity is asked for', () => {
  let root = '';
  let environment: Record<string, string> = {};
  let vendor = new CountingKind();
  const desk = () => vendor.desk(environment, () => new Date());

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'agentkit-capacity-'));
    environment = { HOME: root };
    vendor = new CountingKind();
    await vendor.add(environment, '@a', '@b');
    vendor.answer = (name) => ({ status: 'ok', windows: [fiveHours(name === '@a' ? 50 : 95)] });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is told from what is known, and nobody is contacted', async () => {
    const unread = await desk().capacity();
    assert.deepEqual(
      unread.accounts.map(({ verdict, reason }) => [verdict, reason?.split(':')[1]]),
      [
        ['unknown', ' not read yet'],
        ['unknown', ' not read yet'],
      ],
    );
    assert.deepEqual(vendor.asked, []);
    await desk().read({});
    const { accounts } = await desk().capacity({ kind: 'remote' });
    assert.deepEqual(
      accounts.map(({ profile, verdict }) => [profile, verdict]),
      [
        ['@a', 'ok'],
        ['@b', 'critical'],
      ],
    );
    assert.deepEqual((await desk().capacity({ kind: 'remote', profile: '@B' })).accounts.length, 1);
    assert.equal(vendor.asked.length, 2);
  });

  it('is the own one of an agent, by the mark in its environment', async () => {
    await rejectsWith(desk().capacity({ self: true }), 'usage', 'AGENTKIT_ACTIVE_ACCOUNT');
    environment['AGENTKIT_ACTIVE_ACCOUNT'] = 'remote/@b';
    assert.deepEqual(
      (await desk().capacity({ self: true })).accounts.map(({ profile }) => profile),
      ['@b'],
    );
    await rejectsWith(desk().capacity({ self: true, profile: '@a' }), 'usage', 'not both');
    await rejectsWith(desk().capacity({ self: true, kind: 'codex' }), 'usage', 'no account of kind codex');
    environment['AGENTKIT_ACTIVE_ACCOUNT'] = 'nonsense';
    await rejectsWith(desk().capacity({ self: true }), 'invalid_input', 'not an account');
  });

  it('must be there', async () => {
    await rejectsWith(desk().capacity({ kind: 'nothing' }), 'not_found', 'no kind');
    await rejectsWith(desk().capacity({ kind: 'remote', profile: '@none' }), 'not_found', '@none');
  });
});
