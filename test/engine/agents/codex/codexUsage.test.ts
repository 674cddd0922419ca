import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCodexLimits, readCodexRefusal } from '../../../../src/engine/agents/codex/codexUsage.ts';

const hours = { usedPercent: 42, windowDurationMins: 300, resetsAt: 1_796_013_000 };
const week = { usedPercent: 17, windowDurationMins: 10_080, resetsAt: 1_796_313_000 };
const limits = (primary: object | null, secondary: object | null = null, more: object = {}) => ({
  rateLimits: { limitId: 'codex', primary, secondary, ...more },
});
const ids = (answer: object) => readCodexLimits(answer).windows.map(({ id }) => id);

describe('limits of codex', () => {
  it('tells windows by their length, wherever they stand', () => {
    assert.deepEqual(ids(limits(hours, week)), ['5h', 'weekly']);
    assert.deepEqual(ids(limits(week, hours)), ['weekly', '5h']);
    assert.deepEqual(ids(limits(week)), ['weekly']);
    assert.deepEqual(ids(limits({ ...hours, windowDurationMins: 299 })), ['5h']);
  });

  it('names windows that are new by their length', () => {
    const named = (windowDurationMins: number) =>
      readCodexLimits(limits({ ...hours, windowDurationMins })).windows[0];
    assert.deepEqual([named(43_200)?.id, named(43_200)?.label], ['30d', '30 days']);
    assert.deepEqual([named(60)?.id, named(60)?.label, named(60)?.seconds], ['1h', '1 hour', 3600]);
    assert.equal(named(90)?.id, '90m');
  });

  it('has percentages from 0 to 100 and times that are times', () => {
    const read = (window: object) => readCodexLimits(limits({ ...hours, ...window })).windows[0];
    assert.deepEqual([read({ usedPercent: 140 })?.used_pct, read({ usedPercent: 140 })?.free_pct], [100, 0]);
    assert.equal(read({ usedPercent: -1 })?.used_pct, 0);
    for (const resetsAt of [null, undefined, 0, -5, 1e300]) {
      assert.equal(read({ resetsAt })?.resets_at, null);
    }
    assert.equal(read({})?.resets_at, '2026-11-30T04:30:00.000Z');
  });

  it('keeps what counts for a model apart', () => {
    const answer = {
      ...limits(hours),
      rateLimitsByLimitId: {
        codex: limits(hours).rateLimits,
        small: { limitId: 'small', normalModelSlug: 'some-model', primary: { ...week, usedPercent: 100 } },
      },
    };
    const read = readCodexLimits(answer);
    assert.deepEqual(
      read.windows.map(({ id, model }) => [id, model]),
      [
        ['5h', undefined],
        ['weekly:some-model', 'some-model'],
      ],
    );
    assert.equal(read.status, 'ok');
  });

  it('takes the verdict of the vendor before its own', () => {
    const full = { ...hours, usedPercent: 100 };
    assert.equal(readCodexLimits(limits(full)).status, 'rate_limited');
    assert.equal(readCodexLimits({ ...limits(full), ordinaryUsageAllowed: true }).status, 'ok');
    assert.equal(readCodexLimits({ ...limits(hours), ordinaryUsageAllowed: false }).status, 'rate_limited');
    assert.equal(readCodexLimits(limits(hours, null, { rateLimitReachedType: 'x' })).status, 'rate_limited');
    assert.equal(readCodexLimits(limits(hours)).status, 'ok');
  });

  it('is unknown, never free, when the answer tells nothing', () => {
    const empty = [
      undefined,
      null,
      [],
      {},
      { rateLimits: null },
      limits(null),
      limits({ usedPercent: 1, windowDurationMins: null }),
      limits({ usedPercent: null, windowDurationMins: 300 }),
      limits({ usedPercent: 1, windowDurationMins: 0 }),
      limits({ usedPercent: '1', windowDurationMins: 300 }),
    ];
    for (const answer of empty) {
      const { status, windows, reason } = readCodexLimits(answer);
      assert.deepEqual([status, windows, typeof reason], ['unknown', [], 'string']);
    }
  });

  it('keeps one window when the other cannot be read', () => {
    assert.deepEqual(ids(limits({ ...hours, usedPercent: null }, week)), ['weekly']);
    assert.deepEqual(ids({ ...limits(hours), rateLimitsByLimitId: 7 }), ['5h']);
  });

  it('tells failures apart, and nothing of what a server sent', () => {
    const read = (message: string) => readCodexRefusal(message, 'codex login').reason ?? '';
    const get = 'failed to fetch codex rate limits: GET https://host/wham/usage failed: ';
    assert.match(read(`${get}503 Service Unavailable; body=<secret>`), /^OpenAI answered 503 for the quota$/);
    assert.match(read(`${get}error sending request for url (x)`), /cannot be reached/);
    assert.doesNotMatch(read('something new; body=<secret>'), /secret/);
    assert.match(read('Please log out and sign in again.'), /log in again with: codex login/);
  });

  it('never throws', () => {
    const answers = fc.oneof(
      fc.anything(),
      fc.record({ rateLimits: fc.record({ primary: fc.anything(), secondary: fc.anything() }) }),
    );
    fc.assert(
      fc.property(answers, (answer) =>
        readCodexLimits(answer).windows.every(({ used_pct }) => used_pct <= 100),
      ),
      { numRuns: 300 },
    );
  });
});
