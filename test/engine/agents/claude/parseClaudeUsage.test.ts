import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseClaudeUsage } from '../../../../src/engine/agents/claude/parseClaudeUsage.ts';
import { recorded } from './recorded.ts';

const id = 'agentkit-usage';
const read = (name: string) => parseClaudeUsage(recorded(`usage-${name}.jsonl`), id);
const answer = (limits: unknown, more: object = {}) =>
  JSON.stringify({
    type: 'control_response',
    response: {
      request_id: id,
      subtype: 'success',
      response: { rate_limits_available: true, rate_limits: limits, ...more },
    },
  });
const windowsOf = (limits: unknown) => parseClaudeUsage(answer(limits), id)?.limits?.windows;

describe('quota that Claude Code tells', () => {
  it('reads the windows of an account and of its models', () => {
    const usage = read('limits')?.limits;
    assert.equal(usage?.plan, 'max');
    assert.equal(usage.maybeOld, false);
    assert.deepEqual(usage.windows, [
      {
        id: '5h',
        label: '5 hours',
        seconds: 18_000,
        used_pct: 42,
        free_pct: 58,
        resets_at: '2026-11-30T05:00:00.000Z',
      },
      {
        id: 'weekly',
        label: 'Week',
        seconds: 604_800,
        used_pct: 17,
        free_pct: 83,
        resets_at: '2026-12-04T05:00:00.000Z',
      },
      {
        id: 'weekly:fable',
        label: 'Week, Fable',
        seconds: 604_800,
        model: 'fable',
        used_pct: 88,
        free_pct: 12,
        resets_at: '2026-12-04T05:00:00.000Z',
      },
    ]);
  });

  it('passes over windows that are null, and keeps one that has not started', () => {
    assert.deepEqual(
      read('windows')?.limits?.windows?.map((window) => [window.id, window.used_pct, window.resets_at]),
      [
        ['5h', 42, '2026-11-30T05:00:00.000Z'],
        ['weekly', 17, '2026-12-04T05:00:00.000Z'],
        ['weekly:opus', 0, null],
        ['weekly:sonnet', 5, '2026-12-04T05:00:00.000Z'],
      ],
    );
  });

  it('takes new windows by the length that their name tells', () => {
    const window = { utilization: 3, resets_at: null };
    const told = windowsOf({
      thirty_day: window,
      '12_hour': window,
      seven_day: window,
      twenty_four_hour: window,
    });
    assert.deepEqual(
      told?.map(({ id, label, seconds, model }) => [id, label, seconds, model]),
      [
        ['30d', '30 days', 2_592_000, undefined],
        ['12h', '12 hours', 43_200, undefined],
        ['weekly', 'Week', 604_800, undefined],
        ['24h', '24 hours', 86_400, undefined],
      ],
    );
  });

  it('passes over others as long as they have room, and over what is no agent’s', () => {
    const now = { utilization: 99, resets_at: null };
    const full = { utilization: 100, resets_at: '2026-12-04T05:00:00Z' };
    const listed = (percent: number, scope: unknown = null) => ({ kind: 'monthly_all', percent, scope });
    for (const room of [
      { burst: now, zero_day: now, seven_day_oauth_apps: full, extra_usage: full },
      { limits: [listed(99), listed(100, { surface: 'web' }), { ...listed(100), kind: 'weekly_all' }] },
    ])
      assert.deepEqual(windowsOf(room), []);
    for (const used of [{ burst: full }, { seven_day_cowork: full }, { limits: [listed(100)] }]) {
      const windows = windowsOf(used);
      assert.deepEqual(
        windows?.map(({ free_pct, model }) => [free_pct, model]),
        [[0, undefined]],
      );
    }
  });

  it('does not call a window free that it does not understand', () => {
    const odd = (window: unknown, name = 'five_hour') =>
      parseClaudeUsage(answer({ [name]: window, seven_day: { utilization: 5 } }), id)?.limits?.odd;
    for (const window of [
      { utilization: -4 },
      { utilization: '42' },
      {},
      'full',
      { utilization: 0, resets_at: 'soon' },
    ])
      assert.equal(odd(window), 'five_hour', JSON.stringify(window));
    for (const window of [
      null,
      { utilization: null },
      { utilization: 0 },
      { utilization: 42, resets_at: 'soon' },
    ])
      assert.equal(odd(window), undefined, JSON.stringify(window));
    assert.equal(odd({ utilization: -4 }, 'seven_day_opus'), undefined);
    assert.equal(odd({ utilization: -4 }, 'thirty_day'), 'thirty_day');
  });

  it('tells an answer that may be old from a new one', () => {
    assert.equal(read('cached')?.limits?.maybeOld, true);
  });

  it('tells what could not be read from what there is not', () => {
    assert.deepEqual(read('failed')?.limits, { plan: 'max', available: true, windows: null, maybeOld: true });
    assert.equal(read('api-key')?.limits?.available, false);
    assert.equal(read('logged-out')?.limits?.available, false);
  });

  it('keeps percentages between 0 and 100, and passes over what is no number', () => {
    const used = (utilization: unknown) =>
      windowsOf({ five_hour: { utilization, resets_at: 'soon' } })?.map((window) => [
        window.used_pct,
        window.free_pct,
        window.resets_at,
      ]);
    assert.deepEqual(used(130), [[100, 0, null]]);
    assert.deepEqual(used(-4), [[0, 100, null]]);
    assert.deepEqual(used(33.333_333), [[33.33, 66.67, null]]);
    assert.deepEqual(used(null), []);
    assert.deepEqual(used('42'), []);
  });

  it('knows a refusal and a shape that is not known, and other lines are not the answer', () => {
    const refused = { type: 'control_response', response: { request_id: id, subtype: 'error', error: 'No' } };
    assert.deepEqual(parseClaudeUsage(JSON.stringify(refused), id), { error: 'No' });
    const changed = {
      type: 'control_response',
      response: { request_id: id, subtype: 'success', response: [] },
    };
    assert.deepEqual(parseClaudeUsage(JSON.stringify(changed), id), {});
    for (const line of ['', 'words', 'null', '{"type":"system"}', answer({}).replace(id, 'other')]) {
      assert.equal(parseClaudeUsage(line, id), undefined);
    }
  });

  it('never throws, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue().map(answer)), (line) => {
        parseClaudeUsage(line, id);
      }),
      { numRuns: 300 },
    );
  });
});
