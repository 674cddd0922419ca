import assert from 'node:assert/strict';
import { headroomOf, type HeadroomOptions } from '../../../../src/core/accounts/headroomOf.ts';
import type { UsageWindow } from '../../../../src/core/accounts/usage.ts';
import { hours, now, reading, usageWindow } from './readings.ts';

function headroom(windows: UsageWindow[], options: Partial<HeadroomOptions> = {}): unknown {
  const found = headroomOf(reading('demo/@one', windows), { now, ...options });
  return found.qualifies ? [found.headroom_pct, found.binding_window] : found.reason;
}

describe('headroomOf', () => {
  it('is the smallest free share, 10 less in weekly windows', () => {
    assert.deepEqual(headroom([usageWindow('5h', 30), usageWindow('weekly', 80)]), [30, '5h']);
    assert.deepEqual(headroom([usageWindow('5h', 80), usageWindow('weekly', 80)]), [70, 'weekly']);
    assert.deepEqual(headroom([usageWindow('5h', 33.1), usageWindow('weekly', 43.1)]), [33.1, '5h']);
  });

  it('has to be above 0', () => {
    assert.deepEqual(headroom([usageWindow('weekly', 11)]), [1, 'weekly']);
    assert.equal(
      headroom([usageWindow('weekly', 10)]),
      'window weekly has 10 % free, 10 % are kept in reserve',
    );
    assert.deepEqual(headroom([usageWindow('5h', 1)]), [1, '5h']);
    assert.equal(headroom([usageWindow('5h', 0)]), 'window 5h has 0 % free');
  });

  it('takes a given reserve in every window', () => {
    assert.deepEqual(headroom([usageWindow('weekly', 10)], { reserve_pct: 0 }), [10, 'weekly']);
    assert.deepEqual(headroom([usageWindow('5h', 50)], { reserve_pct: 20 }), [30, '5h']);
    assert.equal(
      headroom([usageWindow('5h', 20)], { reserve_pct: 20 }),
      'window 5h has 20 % free, 20 % are kept in reserve',
    );
  });

  it("counts a model's window only for that model", () => {
    const windows = [
      usageWindow('weekly', 80),
      usageWindow('weekly:opus', 15),
      usageWindow('weekly:sonnet', 0),
    ];
    assert.deepEqual(headroom(windows), [70, 'weekly']);
    assert.deepEqual(headroom(windows, { model: 'Opus' }), [5, 'weekly:opus']);
    assert.equal(
      headroom(windows, { model: 'sonnet' }),
      'window weekly:sonnet has 0 % free, 10 % are kept in reserve',
    );
  });

  it('does not know a window whose reset has passed', () => {
    const unknown = /^window 5h was due to reset at .*; not read since$/;
    for (const free of [0, 100]) {
      assert.match(String(headroom([usageWindow('5h', free, hours(-1))])), unknown);
      assert.match(String(headroom([usageWindow('5h', free, now)])), unknown);
    }
    assert.match(String(headroom([usageWindow('5h', 50, 'soon')])), unknown);
    assert.deepEqual(headroom([usageWindow('5h', 50, hours(0.001))]), [50, '5h']);
    // Windows that do not apply may be as old as they like.
    assert.deepEqual(headroom([usageWindow('5h', 50), usageWindow('weekly:opus', 50, hours(-1))]), [
      50,
      '5h',
    ]);
  });

  it('counts a window that has not started as free', () => {
    assert.deepEqual(headroom([{ ...usageWindow('5h', 100, null), free_pct: 0 }]), [100, '5h']);
    assert.deepEqual(headroom([{ ...usageWindow('weekly', 100, null), free_pct: 0 }]), [90, 'weekly']);
    assert.equal(headroom([usageWindow('5h', 0, null)]), 'window 5h has 0 % free');
  });

  it('asks the needed windows for their share, whatever the reserve', () => {
    const windows = [usageWindow('5h', 30), usageWindow('weekly', 60)];
    assert.deepEqual(headroom(windows, { need: [{ window: '5h', pct: 30 }] }), [30, '5h']);
    assert.equal(
      headroom(windows, { need: [{ window: '5h', pct: 31 }] }),
      'window 5h has 30 % free, 31 % needed',
    );
    assert.equal(headroom(windows, { need: [{ window: '1h', pct: 1 }] }), 'it has no window "1h"');
    assert.equal(
      headroom([...windows, usageWindow('weekly:opus', 5)], { need: [{ window: 'weekly:opus', pct: 10 }] }),
      'window weekly:opus has 5 % free, 10 % needed',
    );
  });

  it('tells when the last of the lacking windows is back, if all are known', () => {
    const lacking = [usageWindow('5h', 0, hours(1)), usageWindow('weekly', 0, hours(20))];
    const resetOf = (windows: UsageWindow[]): unknown => {
      const found = headroomOf(reading('demo/@one', windows), { now });
      return found.qualifies ? 'qualifies' : found.resets_at;
    };
    assert.equal(resetOf(lacking), hours(20));
    assert.equal(resetOf([...lacking, usageWindow('1d', 0, null)]), undefined);
    assert.equal(resetOf([usageWindow('5h', 0, hours(-1))]), undefined);
  });

  it('is all of it for an account without windows', () => {
    assert.deepEqual(headroom([]), [100, null]);
  });
});
