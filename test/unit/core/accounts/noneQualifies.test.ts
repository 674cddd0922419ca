import assert from 'node:assert/strict';
import { noneQualifies } from '../../../../src/core/accounts/noneQualifies.ts';

describe('noneQualifies', () => {
  const rejected = [
    { kind: 'claude', profile: '@a', reason: 'no room' },
    { kind: 'claude', profile: '@b', reason: 'in use' },
  ];

  it('says why of each account, and when one will', () => {
    const { reason, message } = noneQualifies('claude', { rejected, next_reset_at: '2026-12-01T00:00:00Z' });
    assert.equal(reason, 'none_qualifies');
    assert.match(
      message,
      /^No account .* claude qualifies \(claude\/@a: no room; claude\/@b: in use\); soonest reset: 2026-12-01T00:00:00Z\./,
    );
  });

  it('names no reset where none is known', () => {
    assert.doesNotMatch(noneQualifies('claude', { rejected, next_reset_at: null }).message, /reset/);
  });

  it('says how to make an account where there is none', () => {
    const { reason, message } = noneQualifies('claude', { rejected: [], next_reset_at: null });
    assert.equal(reason, 'not_found');
    assert.match(message, /ak profiles add claude @one$/);
  });
});
