import assert from 'node:assert/strict';
import {
  pickAccounts,
  unknownExclusions,
  type PickAnswer,
  type PickRequest,
} from '../../../../src/core/accounts/pickAccounts.ts';
import type { AccountReading } from '../../../../src/core/accounts/usage.ts';
import { hours, now, reading, usageWindow } from './readings.ts';

function pick(readings: AccountReading[], request: PickRequest = {}, leased: string[] = []): PickAnswer {
  return pickAccounts(readings, new Set(leased), request, now);
}

function chosen(answer: PickAnswer): string[] {
  return answer.chosen.map(({ kind, profile, headroom_pct }) => `${kind}/${profile} ${headroom_pct}`);
}

function rejected(answer: PickAnswer): string[] {
  return answer.rejected.map(({ kind, profile, reason }) => `${kind}/${profile}: ${reason}`);
}

describe('pickAccounts', () => {
  it('answers pick-v1', () => {
    const readings = [
      reading('demo/@one', [usageWindow('5h', 50), usageWindow('weekly', 40, hours(30))], { default: true }),
      reading('demo/@two', [usageWindow('weekly', 10, hours(50))]),
      reading('other/@x', []),
    ];
    assert.deepEqual(pick(readings, { kind: 'demo', count: 2 }), {
      kind: 'demo',
      reserve_pct: 10,
      count: 2,
      chosen: [
        {
          kind: 'demo',
          profile: '@one',
          headroom_pct: 30,
          binding_window: 'weekly',
          resets_at: hours(30),
          default: true,
        },
      ],
      rejected: [
        {
          kind: 'demo',
          profile: '@two',
          reason: 'window weekly has 10 % free, 10 % are kept in reserve',
          resets_at: hours(50),
        },
      ],
      next_reset_at: hours(50),
    });
  });

  it('takes the best first and one account unless more are asked for', () => {
    const readings = [
      reading('demo/@low', [usageWindow('5h', 20)]),
      reading('demo/@high', [usageWindow('5h', 90)]),
      reading('demo/@middle', [usageWindow('5h', 50)]),
    ];
    assert.deepEqual(chosen(pick(readings)), ['demo/@high 90']);
    assert.deepEqual(chosen(pick(readings, { count: 2 })), ['demo/@high 90', 'demo/@middle 50']);
    assert.deepEqual(chosen(pick(readings, { count: 9 })).length, 3);
    assert.deepEqual(chosen(pick(readings, { count: 0 })), []);
  });

  it('gives ties in whole points to the earlier weekly reset, then to the name', () => {
    const tie = (name: string, free: number, reset: string | null): AccountReading =>
      reading(name, [usageWindow('5h', free), { ...usageWindow('weekly', 95, reset) }]);
    const readings = [
      tie('demo/@late', 40.9, hours(90)),
      tie('demo/@b', 40.1, hours(30)),
      tie('demo/@a', 40.1, hours(30)),
      tie('demo/@more', 41, hours(160)),
    ];
    assert.deepEqual(chosen(pick(readings, { count: 4 })), [
      'demo/@more 41',
      'demo/@a 40.1',
      'demo/@b 40.1',
      'demo/@late 40.9',
    ]);
    const without = [reading('demo/@none', [usageWindow('5h', 40)]), tie('demo/@weekly', 40, hours(100))];
    assert.deepEqual(chosen(pick(without, { count: 2 })), ['demo/@weekly 40', 'demo/@none 40']);
  });

  it('never takes a leased account', () => {
    const readings = [
      reading('demo/@one', [usageWindow('5h', 90)]),
      reading('demo/@two', [usageWindow('5h', 20)]),
    ];
    assert.deepEqual(chosen(pick(readings)), ['demo/@one 90']);
    const answer = pick(readings, {}, ['demo/@ONE']);
    assert.deepEqual(chosen(answer), ['demo/@two 20']);
    assert.deepEqual(rejected(answer), ['demo/@one: leased by a running agent']);
    assert.deepEqual(chosen(pick(readings, {}, ['other/@one'])), ['demo/@one 90']);
  });

  it('never takes an excluded account, by profile or in full, without regard to case', () => {
    const readings = [
      reading('demo/@default', [usageWindow('5h', 90)]),
      reading('other/@default', [usageWindow('5h', 80)]),
      reading('demo/@two', [usageWindow('5h', 20)]),
    ];
    for (const exclude of ['@default', '@Default', '@1']) {
      assert.deepEqual(chosen(pick(readings, { exclude: [exclude], count: 3 })), ['demo/@two 20'], exclude);
    }
    for (const exclude of ['demo/@default', 'Demo/@1']) {
      const answer = pick(readings, { exclude: [exclude], count: 3 });
      assert.deepEqual(chosen(answer), ['other/@default 80', 'demo/@two 20'], exclude);
      assert.deepEqual(rejected(answer), ['demo/@default: excluded']);
    }
    assert.equal(chosen(pick(readings, { exclude: ['@def', 'two'], count: 3 })).length, 3);
  });

  it('tells exclusions that name no account of the kind', () => {
    const readings = [reading('demo/@one', []), reading('other/@two', [])];
    const unknown = (kind: string | undefined, ...exclude: string[]) =>
      unknownExclusions(readings, { exclude, ...(kind !== undefined && { kind }) });
    assert.deepEqual(unknown('demo', '@ONE', 'demo/@one'), []);
    assert.deepEqual(unknown('demo', '@two', '@one', 'other/@two'), ['@two', 'other/@two']);
    assert.deepEqual(unknown(undefined, '@two', '@nope'), ['@nope']);
    assert.deepEqual(unknownExclusions(readings, {}), []);
  });

  it('takes only accounts that are ok, and says why not', () => {
    const windows = [usageWindow('5h', 90)];
    const full = [
      usageWindow('5h', 0, hours(1)),
      usageWindow('weekly', 0, hours(40)),
      usageWindow('weekly:opus', 0, hours(60)),
    ];
    const answer = pick([
      reading('demo/@a', windows, { status: 'unknown', reason: 'no answer' }),
      reading('demo/@b', windows, { status: 'not_logged_in' }),
      reading('demo/@c', full, { status: 'rate_limited' }),
      reading('demo/@d', windows, { status: 'rate_limited' }),
    ]);
    assert.deepEqual(answer.chosen, []);
    assert.deepEqual(rejected(answer), [
      'demo/@a: unknown: no answer',
      'demo/@b: not logged in',
      'demo/@c: rate limited',
      'demo/@d: rate limited',
    ]);
    // The one with everything used up is back with its last window, not with its first.
    assert.deepEqual(
      answer.rejected.map(({ resets_at }) => resets_at),
      [undefined, undefined, hours(40), hours(2)],
    );
    assert.equal(answer.next_reset_at, hours(2));
  });

  it('tells no reset where waiting for it does not help', () => {
    const answer = pick([reading('demo/@one', [usageWindow('5h', 0)])], { exclude: ['@one'] });
    assert.equal(answer.next_reset_at, null);
    assert.equal(pick([reading('demo/@one', [usageWindow('5h', 0)])]).next_reset_at, hours(2));
    assert.equal(pick([]).next_reset_at, null);
  });

  it('rejects a reading that is older than asked for', () => {
    const readings = [
      reading('demo/@one', [usageWindow('5h', 50)], { read_at: '2026-03-01T11:55:00Z', age_s: 0 }),
    ];
    assert.deepEqual(chosen(pick(readings, { max_age_s: 300 })), ['demo/@one 50']);
    assert.deepEqual(rejected(pick(readings, { max_age_s: 299 })), [
      'demo/@one: read 300 s ago, older than 299 s',
    ]);
    assert.deepEqual(chosen(pick(readings)), ['demo/@one 50']);
  });
});
