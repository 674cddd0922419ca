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

  it('passes over windows that are null or new, and keeps one that has not started', () => {
    assert.deepEqual(
      read('windows')?.limits?.windows?.map((window) => [window.id, window.used_pct, window.resets_at]),
      [
        ['5h', 42, '2026-11-30T05:00:00.000Z'],
        ['weekly', 17, '2026-12-04T05:00:00.000Z'],
        ['weekly:opus', 0, null],
        ['weekly:sonnet', 5, '2026-12-04T05:00:00.000Z'],
      ],
    );
    assert.deepEqual(windowsOf({ thirty_day: { utilization: 3, resets_at: null } }), []);
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
