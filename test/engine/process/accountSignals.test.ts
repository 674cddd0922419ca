import assert from 'node:assert/strict';
import type { AgentKind, AgentSignal } from '../../../src/engine/agents/agentKind.ts';
import { AccountSignals } from '../../../src/engine/process/accountSignals.ts';
import type { Launch } from '../../../src/engine/process/launch.ts';
import { readAfterwards } from '../../../src/engine/process/readAfterwards.ts';

const limit: AgentSignal = { type: 'limit', window: '5h' };
const refused: AgentSignal = { type: 'refused', reason: 'throttled', message: 'secret words' };
const windows: AgentSignal = { type: 'windows', windows: [] };

describe('what signals tell about an account', () => {
  const factsOf = (outcome: 'succeeded' | 'failed', ...signals: AgentSignal[]) => {
    const account = new AccountSignals((text) => text.replace('secret', '…'));
    signals.forEach((signal) => account.take(signal));
    return account.facts(outcome);
  };

  it('keeps the last of each sort, redacted', () => {
    const later: AgentSignal = { type: 'limit', window: 'weekly', resets_at: '2026-11-30T00:00:00.000Z' };
    assert.deepEqual(factsOf('failed', limit, windows, later), {
      limit: { window: 'weekly', resets_at: '2026-11-30T00:00:00.000Z' },
      windows: [],
    });
    assert.deepEqual(factsOf('failed', refused), { refused: { reason: 'throttled', message: '… words' } });
  });

  it('reads when a limit resets from words that have a zone, where nothing else tells it', () => {
    const at = (text: string, more: object = {}) => {
      const account = new AccountSignals(String, () => Date.parse('2026-10-24T20:00:00Z'));
      account.take({ type: 'limit', resets_text: text, ...more });
      return account.facts('failed').limit;
    };
    assert.deepEqual(at('Limit · resets 3:42am (UTC)'), { resets_at: '2026-10-25T03:42:00.000Z' });
    assert.deepEqual(at('Limit · resets 3:42am'), {});
    assert.deepEqual(at('Limit · resets 2:30am (Europe/Berlin)'), {
      resets_at: '2026-10-25T01:30:00.000Z',
      doubt: 'double',
    });
    const told = { resets_at: '2026-10-25T05:00:00.000Z' };
    assert.deepEqual(at('Limit · resets 2:30am (Europe/Berlin)', told), told);
  });

  it('takes a number of seconds that is no time for none', () => {
    for (const resets_in_s of [NaN, Infinity, 1e300])
      assert.deepEqual(factsOf('failed', { type: 'limit', resets_in_s }).limit, {}, String(resets_in_s));
  });

  it('keeps a time that was told as one when only words follow', () => {
    const exact: AgentSignal = { type: 'limit', window: '5h', resets_at: '2026-11-30T00:00:00.000Z' };
    const words: AgentSignal = { type: 'limit', resets_text: 'resets 3am (UTC)' };
    const { type: _type, ...told } = exact;
    assert.deepEqual(factsOf('failed', exact, words).limit, told);
    assert.deepEqual(factsOf('failed', words, exact).limit, told);
  });

  it('tells a limit without the refusal that comes with it, in any order', () => {
    assert.deepEqual(factsOf('failed', limit, refused), { limit: { window: '5h' } });
    assert.deepEqual(factsOf('failed', refused, limit), { limit: { window: '5h' } });
  });

  it('does not hide what stays behind what passes by itself, in any order', () => {
    const lasting: AgentSignal = { type: 'refused', reason: 'not_logged_in', message: 'no' };
    const other: AgentSignal = { type: 'refused', reason: 'model', message: 'later' };
    const told = { refused: { reason: 'not_logged_in', message: 'no' } };
    assert.deepEqual(factsOf('failed', lasting, refused), told);
    assert.deepEqual(factsOf('failed', refused, lasting), told);
    assert.equal(factsOf('failed', lasting, other).refused?.reason, 'model');
  });

  it('counts from now to a reset that the signal tells in seconds', () => {
    const account = new AccountSignals(String, () => Date.UTC(2026, 10, 30, 2, 6, 2));
    account.take({ type: 'limit', resets_in_s: 7200 });
    assert.deepEqual(account.facts('failed'), { limit: { resets_at: '2026-11-30T04:06:02.000Z' } });
  });

  it('tells only windows of a run that succeeded: it got over the rest', () => {
    assert.deepEqual(factsOf('succeeded', limit, refused, windows), { windows: [] });
  });
});

describe('readAfterwards', () => {
  const profile = { kind: 'demo', name: '@one', folder: '/profile' };
  const launch = { role: 'agent', profile } as Launch;
  const asked: unknown[] = [];
  const kind = (answer: () => Promise<AgentSignal[]>) =>
    ({
      readAfterwards: (...about: unknown[]) => {
        asked.push(about);
        return answer();
      },
    }) as unknown as AgentKind;
  const telling = kind(() => Promise.resolve([limit]));
  beforeEach(() => asked.splice(0));

  it('asks about a run that failed or took too long, by profile and session', async () => {
    for (const outcome of ['failed', 'timeout'] as const) {
      assert.deepEqual(await readAfterwards(telling, launch, { outcome, session_id: 's-1' }), [limit]);
    }
    assert.deepEqual(asked[0], [profile, 's-1']);
  });

  it('asks nothing about one that succeeded or that a person stopped, or without a profile', async () => {
    for (const outcome of ['succeeded', 'stopped'] as const) {
      assert.deepEqual(await readAfterwards(telling, launch, { outcome }), []);
    }
    assert.deepEqual(await readAfterwards(telling, { role: 'agent' } as Launch, { outcome: 'failed' }), []);
    assert.deepEqual(asked, []);
  });

  it('goes on without an answer', async () => {
    const broken = kind(() => Promise.reject(new Error('damaged')));
    assert.deepEqual(await readAfterwards(broken, launch, { outcome: 'failed' }), []);
  });
});
