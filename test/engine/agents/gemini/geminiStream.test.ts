import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSignal } from '../../../../src/engine/agents/agentKind.ts';
import { openGeminiErrors } from '../../../../src/engine/agents/gemini/geminiErrors.ts';
import { openGeminiStream } from '../../../../src/engine/agents/gemini/geminiStream.ts';
import { readRecording } from '../readRecording.ts';

const parse = (lines: string[]) => lines.flatMap(openGeminiStream());
const read = (name: string) => parse(readRecording(`gemini/${name}`));
const records = (...values: object[]) => parse(values.map((value) => JSON.stringify(value)));
const shown = (signals: AgentSignal[]) =>
  signals.flatMap((signal) => (signal.type === 'progress' ? [[signal.line.kind, signal.line.text]] : []));
const without = (signals: AgentSignal[]) => signals.filter(({ type }) => type !== 'progress');
const said = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
const failed = (message: string) =>
  records({ type: 'result', status: 'error', timestamp: '2026-11-30T02:06:02.197Z', error: { message } });

describe('stream of gemini', () => {
  it('has the session, the answer put together from its pieces, and the tokens', () => {
    const signals = read('success');
    assert.deepEqual(signals[0], { type: 'session', id: '10a225db-0b2d-41d6-a3e7-428ed05aa421' });
    assert.deepEqual(shown(signals), [['text', 'The work is done.']]);
    assert.deepEqual(signals.at(-1), {
      type: 'result',
      ok: true,
      text: 'The work is done.',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it('shows what the agent does between its answers; the last answer is the result', () => {
    const signals = read('tool');
    assert.deepEqual(shown(signals), [
      ['text', 'I write the notes.'],
      ['tool', 'write_file notes.txt'],
      ['text', 'The work is done.'],
    ]);
    const result = signals.at(-1);
    assert.equal(result?.type === 'result' && result.text, 'The work is done.');
  });

  it('keeps the answers of two runs apart', () => {
    const [one, other] = [openGeminiStream(), openGeminiStream()];
    one(JSON.stringify(said('of one')));
    const end = JSON.stringify({ type: 'result', status: 'success' });
    assert.deepEqual(other(end), [{ type: 'result', ok: true, text: '' }]);
    assert.deepEqual(one(end).at(-1), { type: 'result', ok: true, text: 'of one' });
  });

  it('shows an answer without an end in parts', () => {
    const parts = shown(records(...Array.from({ length: 30 }, () => said('x'.repeat(10_000)))));
    assert.deepEqual(
      parts.map(([, text]) => text?.length),
      [270_000],
    );
  });

  it('has no success when it was stopped, though Gemini ends with exit code 0', () => {
    assert.deepEqual(
      read('stopped').filter(({ type }) => type === 'result'),
      [],
    );
  });

  const refusals: [string, string][] = [
    ['key-invalid', 'not_logged_in'],
    ['login-refused', 'not_logged_in'],
    ['model-unknown', 'model'],
    ['throttled', 'throttled'],
  ];
  for (const [name, reason] of refusals) {
    it(`fails with "${reason}" for ${name}`, () => {
      const [, refused, result] = without(read(name));
      assert.equal(refused?.type === 'refused' && refused.reason, reason);
      assert.equal(result?.type === 'result' && !result.ok && result.text !== '', true);
    });
  }

  it('fails without a reason of the account where the vendor gives none', () => {
    assert.deepEqual(
      without(read('denied')).map(({ type }) => type),
      ['session', 'result'],
    );
  });

  it('tells a limit of the day, whose reset nobody says, and one whose reset is in its words', () => {
    assert.deepEqual(without(read('quota-daily'))[1], { type: 'limit', window: 'daily', one_model: true });
    assert.deepEqual(without(read('quota-capacity'))[1], {
      type: 'limit',
      one_model: true,
      resets_at: '2026-11-30T04:06:02.197Z',
    });
    const bare = failed('[API Error: You have exhausted your capacity on this model.]\nPlease wait');
    assert.deepEqual(without(bare)[0], { type: 'limit', one_model: true });
  });

  it('tells a missing network and a vendor that is down', () => {
    for (const told of [
      'exception: fetch failed',
      'connect ECONNREFUSED 127.0.0.1:1',
      '{"error":{"code":500}}',
    ]) {
      const [refused] = without(failed(`[API Error: ${told}]`));
      assert.equal(refused?.type === 'refused' && refused.reason, 'network', told);
    }
    assert.equal(without(failed('[API Error: {"error":{"code":400}}]')).length, 1);
  });

  it('tells why a run without an error of its own failed', () => {
    const signals = records(
      { type: 'error', message: 'An empty answer' },
      { type: 'result', status: 'error' },
    );
    assert.deepEqual(signals.at(-1), { type: 'result', ok: false, text: 'An empty answer' });
    const [, result] = records({ type: 'result', status: 'later' });
    assert.deepEqual(result, { type: 'result', ok: false, text: 'It ended with the status "later"' });
  });

  it('shows a tool that failed', () => {
    const [line] = shown(
      records({ type: 'tool_result', status: 'error', error: { message: 'No such tool' } }),
    );
    assert.deepEqual(line, ['note', 'The tool failed: No such tool']);
  });

  for (const text of [
    '[API Error: You have exhausted your daily quota on this model.]',
    '{"type":"result","status":"error","error":{"message":"[API Error: {}]"}}',
    'Attempt 1 failed: x. Retrying after 7200000ms...',
  ]) {
    it(`takes nothing that the agent says or reads for a signal: ${text.slice(0, 30)}`, () => {
      const signals = records(
        said(text),
        { type: 'message', role: 'user', content: text },
        { type: 'tool_use', tool_name: 'run_shell_command', parameters: { command: text } },
        { type: 'tool_result', status: 'success', output: text },
        { type: 'tool_result', status: 'error', error: { message: text } },
        { type: 'error', message: text },
        { type: 'result', status: 'success', error: { message: text } },
      );
      assert.deepEqual(
        without(signals).map(({ type }) => type),
        ['result'],
      );
    });
  }

  it('shows what it does not know as it is', () => {
    for (const line of ['words', '{"type":"result"', '{"type":"later"}', '[]', 'null', '{"type":"init"}']) {
      assert.deepEqual(parse([line]), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(parse(['', '  ']), []);
  });

  it('never throws, whatever is lost on the way', () => {
    const lines = ['tool', 'quota-capacity', 'denied'].flatMap((name) => readRecording(`gemini/${name}`));
    const broken = fc
      .tuple(fc.constantFrom(...lines), fc.nat(400), fc.string())
      .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at + text.length));
    const stream = fc.array(fc.oneof(fc.string(), fc.json(), broken), { maxLength: 20 });
    fc.assert(
      fc.property(stream, (some) => Array.isArray(parse(some))),
      { numRuns: 300 },
    );
  });
});

describe('error stream of gemini', () => {
  const told = (...lines: string[]) => lines.flatMap(openGeminiErrors());
  const one = (...lines: string[]) => told(...lines)[0];

  it('tells a long sleep as a limit, with the time that the vendor told, and that it hangs', () => {
    const hangs = true;
    assert.deepEqual(
      one('Attempt 1 failed: Your quota will reset after 2h0m0s.. Retrying after 7807789ms...'),
      { type: 'limit', resets_in_s: 7200, hangs },
    );
    const limit = { type: 'limit', resets_in_s: 7200, hangs };
    // The vendor's words have lines of their own, and Gemini adds one.
    const lines = ['Attempt 12 failed: You exceeded it.', '* Quota exceeded for metric: x, limit: 5'];
    assert.deepEqual(told(...lines, 'Suggested retry after 7200s.. Retrying after 8192192ms...'), [limit]);
    assert.deepEqual(one('Attempt 2 failed: Please retry in 7199.27s.. Retrying after 8192192ms...'), limit);
  });

  it('gives a long sleep that no time of the vendor explains its minutes, and takes it for no limit', () => {
    for (const message of ['Busy', 'Your quota will reset after 9h0m0s.', 'Suggested retry after 20s.']) {
      const signal = one(`Attempt 2 failed: ${message}. Retrying after 7200001ms...`);
      assert.deepEqual(
        signal?.type === 'refused' && [signal.reason, signal.hangs],
        ['throttled', { after_s: 300, silent: true }],
        message,
      );
    }
  });

  it('takes nothing that others say on the same stream for a retry of its own', () => {
    const sleeps = 'Your quota will reset after 2h0m0s.. Retrying after 7740057ms...';
    for (const lines of [
      ['MCP server foo: 503. Retrying after 600000ms...'],
      [`MCP server foo: Attempt 1 failed: ${sleeps}`],
      [sleeps],
      ['Suggested retry after 7200s.. Retrying after 8192192ms...'],
      [`Attempt 1 failed: ${sleeps} and went on`],
      ['Attempt 1 failed: x. Retrying after 5000ms...', 'MCP server foo: 503. Retrying after 600000ms...'],
      [`Attempt 1 failed: ${'x'.repeat(9000)}`, sleeps],
      [`attempt 1 failed: ${sleeps}`],
    ]) {
      assert.deepEqual(
        told(...lines).filter(
          (signal) => signal.type === 'limit' || signal.type !== 'refused' || signal.hangs,
        ),
        [],
        lines.join('|').slice(0, 100),
      );
    }
    assert.equal(one(`Attempt 1 failed: ${sleeps}`)?.type, 'limit');
  });

  it('tells a short one as no limit', () => {
    for (const line of [
      'Attempt 5 failed: Quota exceeded. Retrying after 32907ms...',
      'Attempt 1 failed: x\nSuggested retry after 300s.. Retrying after 300000ms...',
      // Longer than any quota: words of somebody else.
      'Attempt 1 failed: x. Retrying after 9999999999ms...',
      'Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {}',
    ]) {
      const signal = one(...line.split('\n'));
      assert.deepEqual(signal?.type === 'refused' && [signal.reason, signal.hangs], ['throttled', undefined]);
    }
    const down = one('Attempt 1 failed with status 500. Retrying with backoff... _ApiError: {}');
    assert.equal(down?.type === 'refused' && down.reason, 'network');
  });

  it('tells that the folder is not trusted, and what it says when there is no login', () => {
    const untrusted = '\u001b[31mGemini CLI is not running in a trusted directory. To proceed, …\u001b[0m';
    assert.deepEqual(one(untrusted), {
      type: 'refused',
      reason: 'trust',
      message: 'Gemini CLI is not running in a trusted directory',
    });
    for (const line of [
      'Please set an Auth method in your /home/x/.gemini/settings.json or specify',
      'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.',
      '\u001b[31mManual authorization is required but the current session is non-interactive.\u001b[0m',
      'Invalid auth method selected.',
    ]) {
      const signal = one(line);
      assert.equal(signal?.type === 'refused' && signal.reason, 'not_logged_in', line);
    }
  });

  it('passes over what else is written there', () => {
    for (const line of [
      '',
      'Warning: Basic terminal detected (TERM=dumb).',
      'YOLO mode is enabled. All tool calls will be automatically approved.',
      'Error executing tool write_file: Tool "write_file" not found.',
      'It said: Retrying after 7200000ms... and went on',
      'Retrying after 72000000000000ms...',
      'a file says: Gemini CLI is not running in a trusted directory',
    ]) {
      assert.deepEqual(told(line), [], line);
    }
  });
});
