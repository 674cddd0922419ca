import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseClaudeLine } from '../../../../src/engine/agents/claude/parseClaudeLine.ts';
import { ofType, recorded, signalsOf } from './recorded.ts';

/** Case, whether the run succeeded, its limit, and why it was refused. Those without a version are of 2.1.332. */
const cases: [name: string, ok: boolean | null, limit?: [string, string] | null, refused?: string][] = [
  ['success', true],
  ['success-api-key', true],
  ['tool', true],
  ['not-permitted', true],
  ['limit-5h', false, ['5h', '2026-11-30T03:42:47.000Z']],
  ['limit-week', false, ['weekly', '2026-12-03T13:02:48.000Z']],
  ['limit-opus', false, ['weekly:opus', '2026-12-03T13:02:48.000Z']],
  ['limit-midrun', false, ['5h', '2026-11-30T04:14:20.000Z']],
  ['throttled', false, null, 'throttled'],
  ['throttled-api-key', false, null, 'throttled'],
  ['overloaded', false, null, 'throttled'],
  ['not-allowed', false, null, 'billing'],
  ['no-credit', false, null, 'billing'],
  ['login-expired', false, null, 'not_logged_in'],
  ['not-logged-in', false, null, 'not_logged_in'],
  ['unknown-model', false, null, 'model'],
  ['network', false, null, 'network'],
  ['server-error', false, null, 'network'],
  ['max-turns', false],
  ['sigint', false],
  ['sigterm', null],
  ['197-success', true],
  ['197-limit-5h', false, ['5h', '2026-11-30T04:14:52.000Z']],
  ['197-limit-week', false, ['weekly', '2026-12-03T13:34:53.000Z']],
  ['197-limit-opus', false, ['weekly:opus', '2026-12-03T13:34:53.000Z']],
  ['197-throttled', false, null, 'throttled'],
  ['197-login-expired', false, null, 'not_logged_in'],
  // This version ends so early that it marks nothing; its words are not judged.
  ['197-not-logged-in', false],
];

describe('stream of Claude Code', () => {
  for (const [name, ok, limit, refused] of cases) {
    it(`reads the recorded run ${name}`, () => {
      const signals = signalsOf(name);
      assert.equal(ofType(signals, 'result').at(-1)?.ok ?? null, ok);
      const told = ofType(signals, 'limit').at(-1);
      assert.deepEqual(told ? [told.window, told.resets_at] : null, limit ?? null);
      // Where there is a limit, what else is told of the same call does not count.
      if (!limit) assert.equal(ofType(signals, 'refused').at(-1)?.reason, refused);
      const sessions = new Set(ofType(signals, 'session').map(({ id }) => id));
      assert.deepEqual([...sessions], ['11111111-2222-4333-8444-555555555555']);
      const shown = ofType(signals, 'progress').map(({ line }) => line);
      assert.deepEqual(
        shown.filter(({ kind }) => kind === 'output'),
        [],
      );
    });
  }

  it('tells what a host is asked for a person, and of nothing else that it is asked', () => {
    assert.deepEqual(ofType(signalsOf('asks'), 'waiting'), [
      { type: 'waiting', reason: 'permission', message: 'Bash rm -rf x' },
    ]);
    assert.deepEqual(ofType(signalsOf('tool'), 'waiting'), []);
    const asked = (request: object) => parseClaudeLine(JSON.stringify({ type: 'control_request', request }));
    const question = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions: [] } };
    assert.deepEqual(asked(question), [{ type: 'waiting', reason: 'question', message: 'AskUserQuestion' }]);
    assert.deepEqual(asked({ subtype: 'elicitation', message: 'Which one?' }), [
      { type: 'waiting', reason: 'question', message: 'Which one?' },
    ]);
    for (const subtype of ['hook_callback', 'mcp_message', 'initialize'])
      assert.deepEqual(asked({ subtype }), []);
  });

  it('collects the answer, the tokens and the cost', () => {
    const [result] = ofType(signalsOf('success'), 'result');
    assert.equal(result?.text, 'Hello from the model.');
    assert.deepEqual(result.usage, { input_tokens: 123, output_tokens: 12, cost_usd: 0.000732 });
  });

  it('counts what was read from the cache of the vendor as read', () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 500 };
    const line = { type: 'result', subtype: 'success', is_error: false, result: 'Done', usage };
    const [result] = ofType(parseClaudeLine(JSON.stringify(line)), 'result');
    assert.deepEqual(result?.usage, { input_tokens: 543 });
  });

  it('shows text, tools, retries, and what was not permitted, but not what a tool gave back', () => {
    const shown = (name: string) =>
      ofType(signalsOf(name), 'progress').map(({ line }) => `${line.kind}: ${line.text}`);
    assert.deepEqual(shown('tool'), [
      'note: Claude Code 2.1.332, model claude-opus-5-5',
      'tool: Bash echo hi > bash1.txt; id -u',
      'text: Hello from the model.',
    ]);
    assert.deepEqual(shown('not-permitted'), ['error: Not permitted: Write']);
    assert.equal(shown('throttled')[1], 'note: The call failed (429 rate_limit); try 1 of 2 follows in 1 s');
    assert.equal(shown('max-turns').at(-1), 'error: The turns are used up.');
  });

  it('takes windows from every run of a subscription, in percent', () => {
    const [told] = ofType(signalsOf('success'), 'windows');
    assert.deepEqual(
      told?.windows.map(({ id, used_pct, free_pct, resets_at }) => [id, used_pct, free_pct, resets_at]),
      [
        ['5h', 42, 58, '2026-11-30T03:42:47.000Z'],
        ['weekly', 17, 83, '2026-12-03T13:02:47.000Z'],
      ],
    );
    assert.deepEqual(ofType(signalsOf('197-success'), 'windows'), []);
  });

  it('takes no word of an agent, of its tools or of a successful answer for a limit or a refusal', () => {
    const words =
      "You've hit your 5-hour limit · resets 3:42am (UTC). rate limit, 429, Credit balance is too low";
    const text = { type: 'text', text: words };
    const back = { type: 'tool_result', content: words, is_error: true };
    const lines = [
      { type: 'assistant', message: { role: 'assistant', content: [text] } },
      { type: 'assistant', message: { role: 'assistant', content: words } },
      { type: 'user', message: { role: 'user', content: [back] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'Credit balance is too low' },
    ];
    const signals = [...lines.map((line) => JSON.stringify(line)), words].flatMap(parseClaudeLine);
    assert.deepEqual([...ofType(signals, 'limit'), ...ofType(signals, 'refused')], []);
    // The twin: the same words on a record that the CLI itself marks as a failed call.
    const marked = recorded('no-credit.jsonl').split('\n').flatMap(parseClaudeLine);
    assert.equal(ofType(marked, 'refused')[0]?.reason, 'billing');
  });

  it('tells a limit from a throttle, from a warning, and from one that is paid for beside the plan', () => {
    const limit = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_796_010_167 };
    const types = (info: object) =>
      parseClaudeLine(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })).map(
        ({ type }) => type,
      );
    assert.deepEqual(types(limit), ['limit']);
    assert.deepEqual(types({ ...limit, isUsingOverage: true }), []);
    assert.deepEqual(types({ ...limit, status: 'allowed_warning' }), []);
    assert.deepEqual(types({ status: 'rejected' }), ['refused']);
    assert.deepEqual(types({ ...limit, resetsAt: undefined }), ['refused']);
  });

  it('hands on the words of a limit that has no time of its own, only where the vendor marked it as one', () => {
    const text = "You've hit your Opus limit · resets 3:42am (UTC)";
    const failed = (more: object) =>
      ofType(
        parseClaudeLine(
          JSON.stringify({ type: 'assistant', error: 'rate_limit', message: { content: text }, ...more }),
        ),
        'limit',
      );
    const info = (more: object) => ({
      api_error_params: { rate_limit_info: { status: 'rejected', ...more } },
    });
    const marked = { api_error: 'usage_limit_reached' };
    assert.deepEqual(failed(marked), [{ type: 'limit', resets_text: text }]);
    assert.deepEqual(failed({ ...marked, ...info({ rateLimitType: 'seven_day_opus' }) }), [
      { type: 'limit', window: 'weekly:opus', resets_text: text },
    ]);
    assert.deepEqual(
      failed({ ...marked, ...info({ rateLimitType: 'five_hour', resetsAt: 1_796_010_167 }) }),
      [{ type: 'limit', window: '5h', resets_at: '2026-11-30T03:42:47.000Z' }],
    );
    assert.deepEqual(failed({}), []);
    assert.deepEqual(failed({ error: undefined, ...marked }), [], 'what an agent says is no failure');
  });

  it('keeps a limit whose window is new to us, whose time is none, and whose other fields are odd', () => {
    const parse = (info: object) =>
      ofType(parseClaudeLine(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })), 'limit');
    const info = { status: 'rejected', rateLimitType: 'burst', resetsAt: 1_796_010_167 };
    const limit = { type: 'limit', resets_at: '2026-11-30T03:42:47.000Z' };
    assert.deepEqual(parse(info), [limit]);
    assert.deepEqual(parse({ ...info, rateLimitType: 'thirty_day' }), [{ ...limit, window: '30d' }]);
    assert.deepEqual(parse({ ...info, rateLimitType: 'five_hour', resetsAt: 1e300 }), [
      { type: 'limit', window: '5h' },
    ]);
    assert.equal(parse({ ...info, isUsingOverage: 'perhaps', unifiedWindows: [1] }).length, 1);
  });

  it('leaves the failure of a sub-agent to the agent that it works for', () => {
    const failed = { type: 'assistant', error: 'model_not_found', message: { content: [] } };
    const refused = (record: object) => ofType(parseClaudeLine(JSON.stringify(record)), 'refused').length;
    assert.equal(refused(failed), 1);
    assert.equal(refused({ ...failed, parent_tool_use_id: 'toolu_1' }), 0);
  });

  it('shows lines that it does not know, and takes no half record for a result', () => {
    const [success = ''] = recorded('success.jsonl').split('\n').slice(-2);
    for (const line of ['plain words', success.slice(0, -3), '{"type":"later"}', '[]', 'null']) {
      assert.deepEqual(parseClaudeLine(line), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(parseClaudeLine('  '), []);
  });

  it('never throws, whatever a line or a field of a known record is', () => {
    const lines = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(fc.nat(), fc.nat(), fc.jsonValue()).map(([record, field, value]) => {
        const all = [...recorded('limit-midrun.jsonl').trim().split('\n')];
        const chosen = JSON.parse(all[record % all.length] ?? '{}') as Record<string, unknown>;
        const names = Object.keys(chosen).filter((name) => name !== 'type');
        return JSON.stringify({ ...chosen, [names[field % names.length] ?? '']: value });
      }),
    );
    fc.assert(
      fc.property(lines, (line) => {
        parseClaudeLine(line);
      }),
      { numRuns: 500 },
    );
  });
});
