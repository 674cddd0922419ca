import assert from 'node:assert/strict';
import { formatReset, formatResetMoment, formatSpan } from '../../../webview/time.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('formatSpan', () => {
  it('grows from minutes to days', () => {
    assert.equal(formatSpan(0), '<1m');
    assert.equal(formatSpan(-5), '<1m');
    assert.equal(formatSpan(minute - 1), '<1m');
    assert.equal(formatSpan(minute), '1m');
    assert.equal(formatSpan(59 * minute), '59m');
    assert.equal(formatSpan(hour + 5 * minute), '1h 05m');
    assert.equal(formatSpan(51 * hour), '2d 3h');
    assert.equal(formatSpan(72 * hour), '3d');
  });
});

describe('formatReset', () => {
  const now = Date.parse('2026-03-02T10:00:00Z');
  const at = (time: string) => formatReset(time, now, 'en-GB', 'UTC');

  it('says how long and when', () => {
    assert.equal(at('2026-03-02T12:10:00Z'), 'in 2h 10m (12:10)');
    assert.match(at('2026-03-03T09:00:00Z'), /^in 23h 00m \(Tue,? 09:00\)$/);
    assert.match(at('2026-03-20T09:00:00Z'), /^in 17d 23h \(20 Mar,? 09:00\)$/);
    assert.equal(at('2026-03-02T10:00:30Z'), 'in less than a minute (10:00)');
  });

  it('says only when, where there is little room', () => {
    const moment = (time: string) => formatResetMoment(time, now, 'en-GB', 'UTC');
    assert.equal(moment('2026-03-02T12:10:00Z'), '12:10');
    assert.match(moment('2026-03-03T09:00:00Z'), /^Tue,? 09:00$/);
    assert.equal(moment('2026-03-02T09:59:59Z'), 'has passed, not read since');
    assert.equal(moment('soon'), 'at an unknown time');
  });

  it('does not count down below zero, nor from nonsense', () => {
    assert.equal(at('2026-03-02T09:59:59Z'), 'has passed, not read since');
    assert.equal(at('soon'), 'at an unknown time');
  });
});
