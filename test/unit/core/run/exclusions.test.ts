import assert from 'node:assert/strict';
import type { RefusalReason } from '../../../../src/core/accounts/refusal.ts';
import { decide } from '../../../../src/core/run/decide.ts';
import { exclusionOf, failOver, type AttemptEnded } from '../../../../src/core/run/failOver.ts';
import { runEventBodySchema, type RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story } from './events.ts';
import { account, facts, job, laneOf, plan, stateAfter } from './samples.ts';

const api = story('api');
const two = plan([job('api'), job('docs')]);
const untouched = { clean: true, untouched: true };
const begin = [api.assigned(), api.created(), api.started()];

function ended(
  end: Parameters<typeof exclusionOf>[1],
  outcome: AttemptEnded['outcome'] = 'failed',
): AttemptEnded {
  const excludes = exclusionOf('demo/@one', { ...end, outcome });
  const base = { type: 'attempt.ended', lane: 'api', attempt: 1, outcome, exit: 1 } as const;
  return { ...base, ...(end.limit && { limit: end.limit }), ...(excludes && { excludes }) };
}
const refused = (reason: RefusalReason) => ended({ refused: { reason, message: 'no.' } });
const limited = ended({ limit: { window: '5h' } });

describe('an account that a run had to do without', () => {
  const accounts = [account('demo/@one', { identity: 'me' }), account('demo/@two', { identity: 'me' })];
  const known = { left: untouched, mayContinue: 'no', unanswered: false };
  const after = (event: AttemptEnded, ...more: RunEventBody[]) => {
    const before = stateAfter(two, ...begin);
    return stateAfter(two, ...begin, ...failOver(before, laneOf(before, 'api'), event, known), ...more);
  };
  const given = (state: ReturnType<typeof after>, seen = accounts) =>
    decide(state, facts({ accounts: seen })).map((action) => {
      if (action.do === 'assign') return `${action.lane}: ${action.account}`;
      const [event] = action.do === 'append' ? action.events : [];
      return event?.type === 'lane.blocked' ? event.message : action.do;
    });
  const apart = accounts.map((each) => ({ ...each, identity: each.account }));
  const retry: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', retry: 'q1' };

  it('goes to no lane of it, and the lane says why', () => {
    const state = after(refused('not_logged_in'));
    assert.deepEqual(given(state, apart), ['api: demo/@two'], 'docs waits');
    assert.deepEqual(laneOf(state, 'api').warnings, ['demo/@one is not logged in: no.']);
    assert.deepEqual([laneOf(state, 'api').reasons, laneOf(state, 'docs').warnings], [[], []]);
    const [blocked] = given(state, apart.slice(0, 1));
    assert.match(blocked ?? '', /No account .* qualifies \(demo\/@one: demo\/@one is not logged in: no\.\)/);
  });

  it('takes other profiles of its login along for its bill and its limit, and not for a login', () => {
    assert.deepEqual(given(after(refused('not_logged_in'))), ['api: demo/@two']);
    assert.match(given(after(refused('billing'))).join(), /billing.*billing/s);
    assert.deepEqual(given(after(refused('billing')), apart), ['api: demo/@two']);
  });

  it('comes back to the job at its reset where the plan waits for that, and not before', () => {
    const resets_at = '2026-03-02T20:00:00.000Z';
    const met = ended({ limit: { window: '5h', resets_at } });
    const again: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued' };
    const [one] = apart;
    assert.ok(one);
    const at = (now: string, when_empty: 'wait' | 'stop', ...events: RunEventBody[]) => {
      const state = stateAfter(plan([job('api')], { when_empty }), ...begin, ...events, again);
      return decide(state, facts({ accounts: [one], now })).map((action) => {
        if (action.do === 'assign') return action.account;
        const [event] = action.do === 'append' ? action.events : [];
        return event?.type === 'lane.postponed' ? event.until : event?.type;
      });
    };
    assert.deepEqual(at('2026-03-02T19:59:59.000Z', 'wait', met), [resets_at]);
    assert.deepEqual(at('2026-03-02T20:00:00.000Z', 'wait', met), ['demo/@one']);
    assert.deepEqual(at('2026-03-02T20:00:00.000Z', 'stop', met), ['lane.blocked']);
    const untold = ended({ limit: { window: '5h' } });
    assert.deepEqual(at('2026-03-09T20:00:00.000Z', 'wait', untold), ['lane.blocked'], 'no reset is known');
    const late = ended({}, 'timeout');
    assert.deepEqual(at('2026-03-09T20:00:00.000Z', 'wait', late), ['lane.blocked'], 'it took too long');
  });

  it('goes to other lanes where one ran into its limit, unless that is known of it', () => {
    assert.deepEqual(given(after(limited), apart), ['api: demo/@two', 'docs: demo/@one']);
    assert.match(given(after(limited)).join('\n'), /5h limit of demo\/@one is reached.*\n?docs: demo\/@one/s);
  });

  it('is kept from a job that means a model of its own too', () => {
    const models = { m: { headroom_pct: 90, resets_at: null, qualifies: true } };
    const made = plan([job('api', { model: 'm' })]);
    const known = [account('demo/@one', { models })];
    assert.deepEqual(given(stateAfter(made), known), ['api: demo/@one']);
    const again: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued' };
    const state = stateAfter(made, ...begin, limited, again);
    assert.match(given(state, known).join(), /5h limit of demo\/@one is reached/);
  });

  it('may be used again once a person has something tried again', () => {
    const failed = ended({ refused: { reason: 'not_logged_in', message: 'no.' } }, 'timeout');
    const before = stateAfter(two, ...begin, failed);
    assert.deepEqual(
      before.excluded.map(({ account: name }) => name),
      ['demo/@one'],
    );
    assert.deepEqual(given(stateAfter(two, ...begin, failed, retry), apart), [
      'api: demo/@one',
      'docs: demo/@two',
    ]);
    const tried = stateAfter(two, ...begin, limited, retry);
    assert.deepEqual(given(tried, apart)[0], 'api: demo/@one');
  });

  it('was not told of by older journals, which read as before', () => {
    const old = [{ ...ended({}), refused: { reason: 'billing', message: 'no.' } } as const, api.reopened()];
    const state = stateAfter(two, ...begin, ...old.map((event) => runEventBodySchema.parse(event)));
    assert.deepEqual([state.excluded, laneOf(state, 'api').tried], [[], []]);
  });
});
