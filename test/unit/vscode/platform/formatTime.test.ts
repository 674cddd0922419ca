import assert from 'node:assert/strict';
import { formatLength, formatMoment, formatSince } from '../../../../src/vscode/platform/formatTime.ts';
import { render } from '../sampleRuns.ts';

describe('formatLength', () => {
  const minute = 60_000;
  for (const [ms, text] of [
    [-5, '0s'],
    [45_900, '45s'],
    [4 * minute, '4m'],
    [60 * minute, '1h'],
    [125 * minute, '2h 5m'],
    [27 * 60 * minute, '1d 3h'],
  ] as const) {
    it(`writes ${ms} ms as ${text}`, () => assert.equal(formatLength(ms), text));
  }
});

describe('formatSince', () => {
  it('counts no seconds, since nothing draws them again', () => {
    assert.equal(formatSince('2026-03-02T11:59:15Z', render), '<1m');
    assert.equal(formatSince('2026-03-02T11:56:00Z', render), '4m');
  });
});

describe('formatMoment', () => {
  it('names the day only when it is not today', () => {
    assert.equal(formatMoment('2026-03-02T14:30:00Z', render), '14:30');
    assert.equal(formatMoment('2026-03-03T09:00:00Z', render), 'Tue 09:00');
    assert.match(formatMoment('2026-03-24T09:00:00Z', render), /^24 Mar,? (at )?09:00$/);
  });

  it('uses the local time zone', () => {
    assert.equal(formatMoment('2026-03-02T23:30:00Z', { ...render, timeZone: 'Europe/Berlin' }), 'Tue 00:30');
  });
});
