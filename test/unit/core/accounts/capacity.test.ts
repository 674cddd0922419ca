import assert from 'node:assert/strict';
import { judgeCapacity, type CapacityLimits } from '../../../../src/core/accounts/capacity.ts';
import type { AccountReading } from '../../../../src/core/accounts/usage.ts';
import { hours, now, reading, usageWindow } from './readings.ts';

const judged = (one: AccountReading, limits: CapacityLimits = {}) =>
  judgeCapacity([one], limits, now).accounts[0];

describe('judgeCapacity', () => {
  it('judges by the smallest free share, of which nothing is kept in reserve', () => {
    const of = (free: number, limits?: CapacityLimits) =>
      judged(reading('claude/@a', [usageWindow('5h', 90), usageWindow('weekly', free, hours(9))]), limits);
    assert.deepEqual(
      [26, 25, 10, 0.5].map((free) => of(free)?.verdict),
      ['ok', 'low', 'critical', 'critical'],
    );
    assert.deepEqual(of(50, { low: 60, critical: 40 })?.verdict, 'low');
    assert.deepEqual(of(26), {
      kind: 'claude',
      profile: '@a',
      verdict: 'ok',
      free_pct: 26,
      binding_window: 'weekly',
      resets_at: hours(9),
      read_at: now,
      age_s: 0,
    });
  });

  it('is critical where nothing is left, with the time when there is', () => {
    const full = judged(reading('claude/@a', [usageWindow('5h', 0, hours(2))]));
    assert.deepEqual([full?.verdict, full?.free_pct, full?.resets_at], ['critical', 0, hours(2)]);
    const limited = judged(
      reading('claude/@a', [usageWindow('5h', 40)], { limits: [{ window: '5h', resets_at: hours(3) }] }),
    );
    assert.deepEqual([limited?.verdict, limited?.resets_at], ['critical', hours(3)]);
  });

  it('does not guess where nothing is known', () => {
    for (const one of [
      reading('claude/@a', [], { status: 'unknown', reason: 'not read yet', read_at: null, age_s: null }),
      reading('claude/@a', [], { status: 'not_logged_in' }),
      reading('claude/@a', [usageWindow('5h', 50, hours(-1))]),
      reading('claude/@a', []),
    ]) {
      const { verdict, free_pct, reason } = judged(one) ?? {};
      assert.deepEqual([verdict, free_pct], ['unknown', null]);
      assert.ok(reason);
    }
  });

  it('counts a model’s window for that model', () => {
    const one = reading('claude/@a', [usageWindow('5h', 90), usageWindow('weekly:opus', 3)]);
    assert.deepEqual([judged(one)?.verdict, judged(one, { model: 'opus' })?.verdict], ['ok', 'critical']);
  });

  it('refuses limits that make no sense, and takes their ends', () => {
    for (const limits of [{ low: 101 }, { critical: -1 }, { low: 5, critical: 6 }, { low: NaN }])
      assert.throws(() => judgeCapacity([], limits, now), { reason: 'usage' });
    assert.deepEqual(judgeCapacity([], { low: 100, critical: 0 }, now), {
      generated_at: now,
      low_pct: 100,
      critical_pct: 0,
      accounts: [],
    });
  });
});
