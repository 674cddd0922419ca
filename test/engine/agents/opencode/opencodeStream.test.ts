import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSignal } from '../../../../src/engine/agents/agentKind.ts';
import { parseOpencodeErrorLine } from '../../../../src/engine/agents/opencode/opencodeErrors.ts';
import { openOpencodeStream } from '../../../../src/engine/agents/opencode/opencodeStream.ts';
import { readRecording } from '../readRecording.ts';

const parse = (lines: string[]) => lines.flatMap(openOpencodeStream());
const read = (name: string) => parse(readRecording(`opencode/${name}`));
const records = (...values: object[]) => parse(values.map((value) => JSON.stringify(value)));
const shown = (signals: AgentSignal[]) =>
  signals.flatMap((signal) => (signal.type === 'progress' ? [[signal.line.kind, signal.line.text]] : []));
const without = (signals: AgentSignal[]) => signals.filter(({ type }) => type !== 'progress');
const failed = (name: string, data: object) => without(records({ type: 'error', error: { name, data } }));

describe('stream of opencode', () => {
  it('has the session, the answer, the tokens and the cost', () => {
    const signals = read('success');
    assert.deepEqual(signals[0], { type: 'session', id: 'ses_dd5c80967ffe8CGuKTTaVlGmIC' });
    assert.deepEqual(shown(signals), [['text', 'The work is done.']]);
    assert.deepEqual(signals.at(-1), {
      type: 'result',
      ok: true,
      text: 'The work is done.',
      usage: { input_tokens: 123, output_tokens: 12, cost_usd: 0.000549 },
    });
  });

  it('adds up the tokens of all steps of a run, and of no other run', () => {
    for (const result of [read('tool').at(-1), read('tool').at(-1)]) {
      assert.deepEqual(result?.type === 'result' && [result.ok, result.usage], [
        true,
        { input_tokens: 246, output_tokens: 24, cost_usd: 0.001098 },
      ]);
    }
    assert.deepEqual(shown(read('tool')), [
      ['tool', 'bash echo hi > oc2.txt'],
      ['text', 'The work is done.'],
    ]);
  });

  it('has no success when a permission was refused, though OpenCode ends with exit code 0', () => {
    const signals = read('refused-permission');
    assert.deepEqual(shown(signals).at(-1), [
      'note',
      'bash failed: The user rejected permission to use this specific tool call.',
    ]);
    const result = signals.at(-1);
    assert.equal(result?.type === 'result' && result.ok, false);
  });

  it('has no success when it was stopped in the midst of a tool', () => {
    assert.deepEqual(
      without(read('stopped')).map(({ type }) => type),
      ['session'],
    );
  });

  it('keeps the beginning of an answer that never ends, and begins anew with each step', () => {
    const read = openOpencodeStream();
    const say = (record: object) => read(JSON.stringify(record));
    const end = () => {
      const [result] = say({ type: 'step_finish', part: { reason: 'stop' } });
      return result?.type === 'result' ? result.text : assert.fail();
    };
    const text = 'word '.repeat(20_000);
    for (let said = 0; said < 100; said += 1) {
      assert.equal(say({ type: 'text', part: { text } }).length, 1, 'all of it is shown');
    }
    const kept = end();
    assert.ok(kept.startsWith(`${text}\n${text}\n`) && kept.length < 400_000, `${kept.length} characters`);
    say({ type: 'step_start', sessionID: 's' });
    say({ type: 'text', part: { text: 'one' } });
    say({ type: 'text', part: { text: 'two' } });
    assert.equal(end(), 'one\ntwo');
  });

  it('succeeds with "stop" alone', () => {
    for (const reason of ['length', 'tool-calls', 'content-filter', 'error', 'later']) {
      const [result] = records({ type: 'step_finish', part: { reason } });
      assert.equal(result?.type === 'result' && result.ok, false, reason);
    }
  });

  const refusals: [string, string][] = [
    ['key-refused', 'not_logged_in'],
    ['not-logged-in', 'not_logged_in'],
    ['model-unknown', 'model'],
    ['throttled', 'throttled'],
    ['no-credit', 'billing'],
  ];
  for (const [name, reason] of refusals) {
    it(`fails with "${reason}" for ${name}`, () => {
      const [session, refused, result] = without(read(name));
      assert.equal(session?.type, 'session');
      assert.equal(refused?.type === 'refused' && refused.reason, reason);
      assert.equal(result?.type === 'result' && !result.ok && result.text !== '', true);
    });
  }

  it('fails without a reason of the account where OpenCode gives none', () => {
    assert.deepEqual(
      without(read('unknown-error')).map(({ type }) => type),
      ['session', 'result'],
    );
    assert.deepEqual(failed('Odd', {}), [
      {
        type: 'result',
        ok: false,
        text: 'Odd',
        usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
      },
    ]);
  });

  it('tells a limit with its reset, by the fields of the vendor that answered', () => {
    const limit = { type: 'limit', window: '5h', resets_at: '2026-11-30T03:51:49.000Z' };
    assert.deepEqual(without(read('limit-anthropic'))[1], limit);
    const body = { error: { type: 'usage_limit_reached', resets_at: 1_796_010_709 } };
    const openai = { statusCode: 429, responseBody: JSON.stringify(body) };
    assert.deepEqual(failed('APIError', openai)[0], { type: 'limit', resets_at: limit.resets_at });
    const bare = { statusCode: 429, responseBody: '{"error":{"type":"usage_limit_reached"}}' };
    assert.deepEqual(failed('APIError', bare)[0], { type: 'limit' });
    const allowed = { statusCode: 429, responseHeaders: { 'anthropic-ratelimit-unified-status': 'allowed' } };
    assert.equal(failed('APIError', allowed)[0]?.type, 'refused');
  });

  it('tells a vendor that is down or busy', () => {
    for (const [statusCode, reason] of [
      [500, 'network'],
      [529, 'throttled'],
      [402, 'billing'],
    ]) {
      const [refused] = failed('APIError', { statusCode });
      assert.equal(refused?.type === 'refused' && refused.reason, reason);
    }
  });

  for (const text of [
    '429 usage_limit_reached',
    '{"type":"error","error":{"name":"ProviderAuthError","data":{}}}',
  ]) {
    it(`takes nothing that the agent says or reads for a signal: ${text.slice(0, 30)}`, () => {
      const state = { status: 'error', input: { command: text }, error: text };
      const signals = records(
        { type: 'text', part: { text } },
        { type: 'reasoning', part: { text } },
        { type: 'tool_use', part: { tool: 'bash', state } },
        { type: 'step_finish', part: { reason: 'stop' } },
      );
      assert.deepEqual(
        without(signals).map(({ type }) => type),
        ['result'],
      );
    });
  }

  it('shows what it does not know as it is', () => {
    for (const line of ['words', '{"type":"text"', '{"type":"later"}', '[]', 'null', '{"type":"text"}']) {
      assert.deepEqual(parse([line]), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(parse(['', '  ']), []);
  });

  it('never throws, whatever is lost on the way', () => {
    const lines = ['tool', 'limit-anthropic', 'throttled'].flatMap((name) =>
      readRecording(`opencode/${name}`),
    );
    const broken = fc
      .tuple(fc.constantFrom(...lines), fc.nat(600), fc.string())
      .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at + text.length));
    const stream = fc.array(fc.oneof(fc.string(), fc.json(), broken), { maxLength: 20 });
    fc.assert(
      fc.property(stream, (some) => Array.isArray(parse(some))),
      { numRuns: 300 },
    );
  });
});

describe('log of opencode', () => {
  const streamError = (error: string, small = 'false') =>
    `timestamp=2026-11-30T06:42:21.922Z level=ERROR run=44d506b0 message="stream error" providerID=anthropic modelID=claude-sonnet-4-6 session.id=ses_1 small=${small} agent=build mode=primary error.error=${JSON.stringify(error)}`;

  it('tells a request that failed and is tried again, of which the stream says nothing', () => {
    const hangs = { after_s: 300, silent: true };
    assert.deepEqual(parseOpencodeErrorLine(streamError('AI_APICallError: It is "busy"')), [
      { type: 'refused', reason: 'throttled', message: 'It is "busy"', hangs },
    ]);
    assert.deepEqual(parseOpencodeErrorLine(streamError('AI_APICallError: Cannot connect to API')), [
      { type: 'refused', reason: 'network', message: 'Cannot connect to API', hangs },
    ]);
  });

  it('tells a model that OpenCode does not know', () => {
    const words = 'ProviderModelNotFoundError: Model not found: a/b.';
    const line = `timestamp=2026-11-30T06:53:55.516Z level=ERROR run=1 message=failed ref=err_1 error="${words}" cause="${words}\\n at x"`;
    assert.deepEqual(parseOpencodeErrorLine(line), [{ type: 'refused', reason: 'model', message: words }]);
  });

  it('passes over the model of the titles, other errors, and words of others', () => {
    for (const line of [
      '',
      streamError('AI_APICallError: Overloaded', 'true'),
      streamError('AI_LoadAPIKeyError: The key is missing'),
      'timestamp=2026-11-30T06:42:01.329Z level=ERROR run=1 message="Failed to fetch models.dev" cause="x"',
      'timestamp=2026-11-30T06:42:01.329Z level=INFO run=1 message=stream small=false',
      `it said: ${streamError('AI_APICallError: Overloaded')}`,
      '\u001b[93m\u001b[1m! \u001b[0mpermission requested: bash (echo hi); auto-rejecting',
    ]) {
      assert.deepEqual(parseOpencodeErrorLine(line), [], line);
    }
  });
});
