import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseCodexRollout } from '../../../../src/engine/agents/codex/codexRollout.ts';
import { readCodexRollout } from '../../../../src/engine/agents/codex/readCodexRollout.ts';
import { readRecording } from '../readRecording.ts';

const limited = readRecording('codex/rollout-limit').join('\n');
const thread = '01a22a26-b464-7270-a368-3998eab58287';
const limit = { type: 'limit', window: '5h', resets_at: '2026-11-30T03:51:49.000Z' };

const event = (payload: object) => JSON.stringify({ type: 'event_msg', payload });
const failed = (info: unknown) =>
  event({ type: 'task_complete', error: { message: 'no', codex_error_info: info } });
const counted = (primary: object | null, secondary: object | null = null) =>
  event({ type: 'token_count', rate_limits: { primary, secondary } });

describe('thread file of codex', () => {
  it('has the window that is used up and its reset, and all windows by their length', () => {
    const signals = parseCodexRollout(limited);
    assert.deepEqual(
      signals.find(({ type }) => type === 'limit'),
      limit,
    );
    const windows = signals.flatMap((signal) => (signal.type === 'windows' ? signal.windows : []));
    assert.deepEqual(
      windows.map(({ id, used_pct, resets_at }) => [id, used_pct, resets_at]),
      [
        ['5h', 100, '2026-11-30T03:51:49.000Z'],
        ['weekly', 17, '2026-12-03T13:11:49.000Z'],
      ],
    );
  });

  it('waits for the reset that comes last when several windows are used up, whatever their order', () => {
    const week = { used_percent: 100, window_minutes: 10_080, resets_at: 1_796_303_509 };
    const hours = { used_percent: 100, window_minutes: 300, resets_at: 1_796_010_709 };
    for (const line of [counted(week, hours), counted(hours, week)]) {
      const signals = parseCodexRollout(`${line}\n${failed('usage_limit_exceeded')}`);
      assert.deepEqual(signals.at(-1), {
        type: 'limit',
        window: 'weekly',
        resets_at: '2026-12-03T13:11:49.000Z',
      });
    }
  });

  it('says a limit without a window when none is used up or known', () => {
    for (const line of ['', counted(null), counted({ used_percent: 40, window_minutes: 300 })]) {
      assert.deepEqual(parseCodexRollout(`${line}\n${failed('usage_limit_exceeded')}`).at(-1), {
        type: 'limit',
      });
    }
  });

  it('tells a login that is refused, an overload and a model, and nothing of other failures', () => {
    const told = (info: unknown) =>
      parseCodexRollout(failed(info)).map((each) => 'reason' in each && each.reason);
    assert.deepEqual(told('unauthorized'), ['not_logged_in']);
    assert.deepEqual(told({ http_connection_failed: { http_status_code: 401 } }), ['not_logged_in']);
    assert.deepEqual(told({ http_connection_failed: { http_status_code: null } }), []);
    assert.deepEqual(told('server_overloaded'), ['throttled']);
    assert.deepEqual(told('model_not_found'), ['model']);
    assert.deepEqual(told('other'), []);
    assert.deepEqual(told(null), []);
    assert.deepEqual(parseCodexRollout(readRecording('codex/rollout-other').join('\n')), []);
  });

  it('counts nothing of earlier turns', () => {
    const later = [limited, event({ type: 'task_started' })].join('\n');
    assert.deepEqual(parseCodexRollout(later), []);
    assert.deepEqual(parseCodexRollout(`${later}\n${event({ type: 'task_complete', error: null })}`), []);
  });

  it('counts nothing that the agent said or read', () => {
    const text = failed('usage_limit_exceeded');
    const said = [
      event({ type: 'agent_message', message: text }),
      event({ type: 'item_completed', item: { type: 'AgentMessage', content: [{ type: 'Text', text }] } }),
      JSON.stringify({
        type: 'response_item',
        payload: { type: 'task_complete', error: JSON.parse(text) as unknown },
      }),
      text.slice(0, -2),
    ];
    assert.deepEqual(parseCodexRollout(said.join('\n')), []);
  });

  it('never throws', () => {
    const broken = fc
      .tuple(fc.nat(limited.length), fc.string())
      .map(([at, text]) => limited.slice(at) + text);
    fc.assert(
      fc.property(fc.oneof(fc.string(), broken), (text) => Array.isArray(parseCodexRollout(text))),
      { numRuns: 200 },
    );
  });

  describe('on disk', () => {
    const home = mkdtempSync(join(tmpdir(), "agentkit codex's ü "));
    const profile = { kind: 'codex', name: '@one', folder: home };
    const put = (day: string, id: string, text: string) => {
      mkdirSync(join(home, 'sessions', day), { recursive: true });
      writeFileSync(join(home, 'sessions', day, `rollout-2026-11-30T01-00-00-${id}.jsonl`), text);
    };
    before(() => {
      put('2025/12/31', thread, limited);
      put('2026/11/30', thread.replace('7', '8'), readRecording('codex/rollout-other').join('\n'));
      writeFileSync(join(home, 'sessions', '.DS_Store'), '');
    });
    after(() => rmSync(home, { recursive: true }));

    it('is found by the id of the thread, in the folder of the profile or below HOME', async () => {
      const found = await readCodexRollout(profile, thread, {});
      assert.deepEqual(found.at(-1), limit);
      const own = { kind: 'codex', name: '@default', folder: null };
      assert.deepEqual(await readCodexRollout(own, thread, { HOME: home }), []);
      mkdirSync(join(home, '.codex', 'sessions'), { recursive: true });
      mkdirSync(join(home, '.codex', 'sessions', '2026', '11', '30'), { recursive: true });
      writeFileSync(
        join(home, '.codex', 'sessions', '2026', '11', '30', `rollout-x-${thread}.jsonl`),
        limited,
      );
      assert.deepEqual((await readCodexRollout(own, thread, { HOME: home })).at(-1), limit);
    });

    it('tells nothing for another thread, a missing home, and what is no id', async () => {
      assert.deepEqual(await readCodexRollout(profile, thread.replaceAll('2', '3'), {}), []);
      assert.deepEqual(await readCodexRollout({ ...profile, folder: join(home, 'gone') }, thread, {}), []);
      for (const id of [undefined, '', '..', 'l', `../${thread}`, thread.slice(0, -1)]) {
        assert.deepEqual(await readCodexRollout(profile, id, {}), []);
      }
    });

    it('reads the end of a long file only', async () => {
      const id = thread.replace('7', '9');
      put(
        '2026/11/30',
        id,
        `${`${event({ type: 'agent_message', message: 'x'.repeat(1000) })}\n`.repeat(4000)}${limited}`,
      );
      assert.deepEqual((await readCodexRollout(profile, id, {})).at(-1), limit);
    });
  });
});
