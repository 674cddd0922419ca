import assert from 'node:assert/strict';
import { afterRefusal } from '../../../../src/core/accounts/afterRefusal.ts';
import type { RefusalReason } from '../../../../src/core/accounts/refusal.ts';
import { afterAnswer } from '../../../../src/core/accounts/usageEntry.ts';
import { hours, now, usageWindow } from './readings.ts';

const entry = afterAnswer(undefined, { status: 'ok', windows: [usageWindow('5h', 60)] }, now);
const refused = (reason: RefusalReason, at = hours(1)) =>
  afterRefusal(entry, 'claude/@a', { reason, message: 'No.' }, at);

describe('afterRefusal', () => {
  it('has an account out of use whose login or bill was refused, with why and its last numbers', () => {
    const { status, reason, windows } = refused('not_logged_in');
    assert.deepEqual([status, windows], ['not_logged_in', entry.windows]);
    assert.equal(reason, 'claude/@a is not logged in: No.');
    assert.equal(refused('billing').status, 'unknown');
  });

  it('leaves it as it is at any other refusal, and at none', () => {
    for (const reason of ['model', 'throttled', 'network'] as const)
      assert.equal(refused(reason), entry, reason);
    assert.equal(afterRefusal(entry, 'claude/@a', undefined, hours(1)), entry);
  });

  it('gives way to what is read later, and overwrites nothing that was', () => {
    const anew = afterAnswer(refused('billing'), { status: 'ok', windows: [] }, hours(2));
    assert.deepEqual([anew.status, anew.reason], ['ok', undefined]);
    assert.equal(refused('billing', hours(-1)), entry);
  });
});
