import assert from 'node:assert/strict';
import { accountFacts } from '../../../../src/core/accounts/accountFacts.ts';
import { hours, now, reading, usageWindow } from './readings.ts';

describe('accountFacts', () => {
  const readings = [
    reading('demo/@low', [usageWindow('5h', 20)]),
    reading('demo/@high', [usageWindow('5h', 80)]),
    reading('demo/@used', [usageWindow('5h', 0, hours(3))]),
    reading('demo/@dark', [], { status: 'unknown', reason: 'no answer' }),
  ];

  it('tells every account once, the best first, with room or a reason', () => {
    const facts = accountFacts(readings, { now, use: new Map() });
    assert.deepEqual(
      facts.map(({ account, qualifies, headroom_pct }) => [account, qualifies, headroom_pct]),
      [
        ['demo/@high', true, 80],
        ['demo/@low', true, 20],
        ['demo/@dark', false, null],
        ['demo/@used', false, null],
      ],
    );
    const used = facts.find(({ account }) => account === 'demo/@used');
    assert.equal(used?.reason, 'window 5h has 0 % free');
    assert.equal(used.resets_at, hours(3));
  });

  it('marks as unknown only what could not be read', () => {
    const unknown = accountFacts(readings, { now, use: new Map() }).filter((each) => each.unknown);
    assert.deepEqual(
      unknown.map(({ account, reason }) => [account, reason]),
      [['demo/@dark', 'unknown: no answer']],
    );
  });

  it('keeps an account that is in use in its place, and marks it busy', () => {
    const [first, second] = accountFacts(readings, {
      now,
      use: new Map([['demo/@high', { writers: 1, slots: 1 }]]),
    });
    assert.deepEqual([first?.account, first?.busy, first?.qualifies], ['demo/@high', true, true]);
    assert.deepEqual([second?.account, second?.busy], ['demo/@low', false]);
  });
});
