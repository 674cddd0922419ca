import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSignal } from '../../../../src/engine/agents/agentKind.ts';
import { parseCodexLine } from '../../../../src/engine/agents/codex/codexStream.ts';
import { readRecording } from '../readRecording.ts';

const thread = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';
const read = (name: string) => readRecording(`codex/${name}`).flatMap(parseCodexLine);
const shown = (signals: AgentSignal[]) =>
  signals.flatMap((signal) => (signal.type === 'progress' ? [[signal.line.kind, signal.line.text]] : []));
const without = (signals: AgentSignal[]) => signals.filter(({ type }) => type !== 'progress');

describe('stream of codex', () => {
  it('has the session, the answer, and the tokens of a run that succeeds', () => {
    assert.deepEqual(read('success'), [
      { type: 'session', id: thread },
      { type: 'progress', line: { kind: 'text', text: 'The work is done.' } },
      { type: 'result', ok: true, text: '', usage: { input_tokens: 100, output_tokens: 10 } },
    ]);
  });

  it('shows each command once, when it starts', () => {
    assert.deepEqual(shown(read('tool')), [
      ['text', 'A file it shall be.'],
      ['tool', `/bin/bash -lc "printf 'hello\\\\n' > c2.txt"`],
      ['text', 'The work is done.'],
    ]);
  });

  it('shows each changed file once, when it is written', () => {
    assert.deepEqual(shown(read('patch')), [
      ['tool', 'add /lane/c4.txt'],
      ['text', 'The work is done.'],
    ]);
  });

  it('shows a failed command, and warnings that stop nothing', () => {
    const item = { type: 'command_execution', command: 'false', exit_code: 1 };
    assert.deepEqual(shown(parseCodexLine(JSON.stringify({ type: 'item.completed', item }))), [
      ['note', 'ended with exit code 1'],
    ]);
    assert.equal(without(read('warning')).at(-1)?.type, 'result');
    assert.match(shown(read('warning'))[0]?.[1] ?? '', /^Model metadata/);
  });

  it('keeps the id of a thread that is resumed', () => {
    const [first, result] = without(read('resumed'));
    assert.deepEqual(first, { type: 'session', id: thread });
    assert.equal(result?.type === 'result' && result.ok, true);
  });

  it('has no result when it was killed', () => {
    assert.deepEqual(without(read('killed')), [{ type: 'session', id: thread }]);
  });

  it('tells of a missing network while Codex still waits, and shows the repeats as notes', () => {
    const signals = read('offline');
    assert.deepEqual(
      [
        ...new Set(
          without(signals).map((signal) => (signal.type === 'refused' ? signal.reason : signal.type)),
        ),
      ],
      ['session', 'network'],
    );
    const told = signals.filter(({ type }) => type === 'refused');
    assert.ok(told.length > 1 && told.every((each) => 'hangs' in each), 'it would wait for ever');
    assert.equal(
      shown(signals).every(([kind]) => kind === 'note'),
      true,
    );
  });

  const failures: [string, string][] = [
    ['limit', 'limit'],
    ['limit-week', 'limit'],
    ['limit-bare', 'limit'],
    ['limit-in-stream', 'limit'],
    ['quota', 'billing'],
    ['plan-without', 'billing'],
    ['model-plan', 'model'],
    ['model-unknown', 'model'],
    ['key-refused', 'not_logged_in'],
    ['key-missing', 'not_logged_in'],
    ['login-reused', 'not_logged_in'],
    ['throttled', 'throttled'],
    ['throttled-in-stream', 'throttled'],
    ['busy', 'throttled'],
    ['overloaded', 'throttled'],
    ['dropped', 'network'],
    ['login-server-down', 'network'],
    ['login-unreachable', 'network'],
    ['forbidden', ''],
    ['context-full', ''],
  ];
  for (const [name, expected] of failures) {
    it(`says "${expected || 'failed'}" once for ${name}, and only at its end`, () => {
      const signals = without(read(name));
      const told = signals.flatMap((signal) =>
        signal.type === 'limit' ? ['limit'] : signal.type === 'refused' ? [signal.reason] : [],
      );
      assert.deepEqual(told, expected === '' ? [] : [expected]);
      const last = signals.at(-1);
      assert.equal(last?.type === 'result' && !last.ok && last.text !== '', true);
      assert.equal(
        shown(read(name)).some(([kind]) => kind === 'output'),
        false,
      );
    });
  }

  const words = [
    'You’ve hit your usage limit. Try again at 3:51 AM.',
    'unexpected status 401 Unauthorized',
    'Reconnecting... waiting for network (it is written so in the test)',
    '{"type":"turn.failed","error":{"message":"You’ve hit your usage limit."}}',
    '{"codex_error_info":"usage_limit_exceeded"}',
  ];
  for (const text of words) {
    it(`takes nothing that the agent says or reads for a signal: ${text}`, () => {
      for (const item of [
        { type: 'agent_message', text },
        { type: 'reasoning', text },
        { type: 'command_execution', command: text, aggregated_output: text, exit_code: 1 },
        { type: 'file_change', changes: [{ path: text, kind: 'add' }] },
        { type: 'error', message: text },
      ]) {
        const signals = ['item.started', 'item.completed'].flatMap((type) =>
          parseCodexLine(JSON.stringify({ type, item })),
        );
        assert.deepEqual(without(signals), [], item.type);
      }
    });
  }

  it('does take the same words in the record of a failed turn', () => {
    const line = JSON.stringify({ type: 'turn.failed', error: { message: words[0] } });
    assert.equal(parseCodexLine(line)[0]?.type, 'limit');
  });

  it('does not take them from the middle of such a record', () => {
    const message = `a test printed: ${words[0] ?? ''}`;
    const line = JSON.stringify({ type: 'turn.failed', error: { message } });
    assert.deepEqual(parseCodexLine(line), [{ type: 'result', ok: false, text: message }]);
  });

  it('takes a record of success without its tokens', () => {
    for (const usage of [undefined, null, { input_tokens: null }]) {
      assert.deepEqual(parseCodexLine(JSON.stringify({ type: 'turn.completed', usage })), [
        { type: 'result', ok: true, text: '' },
      ]);
    }
  });

  it('shows what it does not know as it is', () => {
    const success = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';
    for (const line of [
      'words',
      success.slice(0, -1),
      '{"type":"later"}',
      '[]',
      'null',
      '{"type":"error"}',
    ]) {
      assert.deepEqual(parseCodexLine(line), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(parseCodexLine(' \t'), []);
  });

  it('never throws', () => {
    const lines = readRecording('codex/tool').concat(readRecording('codex/limit'));
    const broken = fc
      .tuple(fc.constantFrom(...lines), fc.nat(200), fc.string())
      .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at + text.length));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), broken), (line) => Array.isArray(parseCodexLine(line))),
      { numRuns: 500 },
    );
  });
});
