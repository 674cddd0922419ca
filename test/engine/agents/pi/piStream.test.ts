import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSignal } from '../../../../src/engine/agents/agentKind.ts';
import { parsePiErrorLine } from '../../../../src/engine/agents/pi/piFailure.ts';
import { parsePiLine } from '../../../../src/engine/agents/pi/piStream.ts';
import { readRecording } from '../readRecording.ts';

const read = (name: string) => readRecording(`pi/${name}`).flatMap(parsePiLine);
const shown = (signals: AgentSignal[]) =>
  signals.flatMap((signal) => (signal.type === 'progress' ? [[signal.line.kind, signal.line.text]] : []));
const without = (signals: AgentSignal[]) => signals.filter(({ type }) => type !== 'progress');

const answer = (stopReason: string, more: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello.' }],
  stopReason,
  ...more,
});
const ended = (message: object) => parsePiLine(JSON.stringify({ type: 'message_end', message }));

describe('stream of pi', () => {
  it('has the session, the answer once, and the tokens and the cost', () => {
    const signals = read('success');
    assert.equal(signals[0]?.type, 'session');
    assert.deepEqual(shown(signals), [['text', 'The work is done.']]);
    assert.deepEqual(signals.at(-1), {
      type: 'result',
      ok: true,
      text: 'The work is done.',
      usage: { input_tokens: 123, output_tokens: 12, cost_usd: 0.000549 },
    });
  });

  it('shows each tool once, and counts the tokens of all answers in the end', () => {
    const signals = read('tool');
    assert.deepEqual(shown(signals), [
      ['tool', 'bash echo hi > pi1.txt'],
      ['text', 'The work is done.'],
    ]);
    const result = signals.at(-1);
    assert.deepEqual(result?.type === 'result' && result.usage, {
      input_tokens: 246,
      output_tokens: 24,
      cost_usd: 0.001098,
    });
  });

  it('has no success when it was killed in the midst of a tool', () => {
    const result = read('killed').findLast(({ type }) => type === 'result');
    assert.equal(result?.type === 'result' && result.ok, false);
  });

  const failures: [string, string][] = [
    ['401', 'not_logged_in'],
    ['404model', 'model'],
    ['429', 'throttled'],
    ['529', 'throttled'],
    ['limit5h', 'throttled'],
    ['credit', 'billing'],
  ];
  for (const [name, reason] of failures) {
    it(`fails with "${reason}" for ${name}, though Pi ends with exit code 0`, () => {
      const signals = read(name);
      const told = signals.flatMap((signal) => (signal.type === 'refused' ? [signal.reason] : []));
      assert.deepEqual([...new Set(told)], [reason]);
      const last = signals.at(-1);
      assert.equal(last?.type === 'result' && !last.ok && last.text !== '', true);
      assert.equal(
        shown(signals).some(([kind]) => kind === 'output'),
        false,
      );
    });
  }

  it('lets the last answer decide: one that came after a failed attempt succeeds', () => {
    const retried = [...read('429').slice(0, 8), ...read('success')].findLast(
      ({ type }) => type === 'result',
    );
    assert.equal(retried?.type === 'result' && retried.ok, true);
    const [lost] = without(ended(answer('toolUse')));
    assert.equal(lost?.type === 'result' && lost.ok, false);
  });

  it('succeeds with "stop" alone', () => {
    for (const reason of ['length', 'toolUse', 'aborted', 'deferred', 'pending', 'later']) {
      const [result] = without(ended(answer(reason)));
      assert.equal(result?.type === 'result' && result.ok, false, reason);
    }
    const [result] = without(ended(answer('stop')));
    assert.deepEqual(result?.type === 'result' && [result.ok, result.text], [true, 'Hello.']);
  });

  it('tells the limit of a ChatGPT plan with its reset, counted from the answer', () => {
    const errorMessage = 'You have hit your ChatGPT usage limit (plus plan). Try again in ~90 min.';
    const [limit] = without(ended(answer('error', { errorMessage, timestamp: 1_796_004_572_136 })));
    assert.deepEqual(limit, { type: 'limit', resets_at: '2026-11-30T03:39:32.136Z' });
    for (const more of [{ errorMessage }, { errorMessage: errorMessage.slice(0, 50), timestamp: 1 }]) {
      assert.deepEqual(without(ended(answer('error', more)))[0], { type: 'limit' });
    }
  });

  it('tells a missing network and a vendor that is down', () => {
    for (const errorMessage of ['Connection error.', 'fetch failed', '503 {}', '500 <html>']) {
      const [refused] = without(ended(answer('error', { errorMessage })));
      assert.equal(refused?.type === 'refused' && refused.reason, 'network');
    }
    assert.equal(without(ended(answer('error', { errorMessage: '400 {}' }))).length, 1);
  });

  const words = [
    'You have hit your ChatGPT usage limit (plus plan). Try again in ~90 min.',
    '429 {"type":"error","error":{"type":"rate_limit_error"}}',
    '{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"401 x"}}',
  ];
  for (const text of words) {
    it(`takes nothing that the agent says or reads for a signal: ${text.slice(0, 30)}`, () => {
      const content = [{ type: 'text', text }];
      const records = [
        { type: 'message_end', message: { ...answer('stop'), content, errorMessage: text } },
        { type: 'message_end', message: { role: 'user', content, stopReason: 'error', errorMessage: text } },
        { type: 'message_end', message: { role: 'toolResult', content, isError: true } },
        { type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: text } },
        { type: 'tool_execution_start', toolName: 'bash', args: { command: text } },
        { type: 'tool_execution_end', toolName: 'bash', result: { content }, isError: true },
        { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, errorMessage: text },
      ];
      const signals = records.flatMap((record) => without(parsePiLine(JSON.stringify(record))));
      assert.deepEqual(
        signals.map(({ type }) => type),
        ['result'],
      );
    });
  }

  it('takes the same words in the error message of an answer', () => {
    assert.deepEqual(
      words.slice(0, 2).map((errorMessage) => without(ended(answer('error', { errorMessage })))[0]?.type),
      ['limit', 'refused'],
    );
  });

  it('shows what it does not know as it is', () => {
    const half = JSON.stringify({ type: 'message_end', message: answer('stop') }).slice(0, -1);
    for (const line of ['words', half, '{"type":"later"}', '[]', 'null', '{"type":"session"}']) {
      assert.deepEqual(parsePiLine(line), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(parsePiLine('  '), []);
  });

  it('takes odd fields for missing ones', () => {
    const odd = { usage: { input: null, output: 'x', cost: 7 } };
    const [result] = without(ended(answer('stop', odd)));
    assert.deepEqual(result?.type === 'result' && result.usage, {
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    });
    assert.deepEqual(shown(parsePiLine('{"type":"tool_execution_start","toolName":"x","args":7}')), [
      ['tool', 'x'],
    ]);
  });

  it('never throws', () => {
    const lines = readRecording('pi/tool').concat(readRecording('pi/429'));
    const broken = fc
      .tuple(fc.constantFrom(...lines), fc.nat(400), fc.string())
      .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at + text.length));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), broken), (line) => Array.isArray(parsePiLine(line))),
      { numRuns: 500 },
    );
  });
});

describe('error stream of pi', () => {
  it('tells by its first words that nobody has logged in, or that there is no such model', () => {
    for (const [message, reason] of [
      ['No API key found for the selected model.', 'not_logged_in'],
      ['No API key found for anthropic.', 'not_logged_in'],
      ['Error: Model "nope-x" not found. Use --list-models to see available models.', 'model'],
    ] as const) {
      assert.deepEqual(parsePiErrorLine(message), [{ type: 'refused', reason, message }]);
      assert.deepEqual(parsePiErrorLine(`It said: ${message}`), [], 'quoted by somebody');
    }
  });

  it('tells nothing else', () => {
    for (const line of [
      '',
      'No API key found for ',
      'Warning: No models available. Use /login to log into a provider via OAuth or API key. See:',
      'Error: something else',
    ])
      assert.deepEqual(parsePiErrorLine(line), [], line);
  });
});
