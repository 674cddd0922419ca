import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/run/decide.ts';
import { exclusionOf, failOver, type LeftWork } from '../../../../src/core/run/failOver.ts';
import type { RefusalReason } from '../../../../src/core/accounts/refusal.ts';
import { runEventBodySchema, type RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story } from './events.ts';
import { account, facts, job, laneOf, plan, stateAfter } from './samples.ts';

const api = story('api');
const two = plan([job('api'), job('docs')]);
const untouched: LeftWork = { clean: true, untouched: true };
const committed: LeftWork = { clean: true, untouched: false };
const dirty: LeftWork = { clean: false, untouched: false };

type Ended = Extract<RunEventBody, { type: 'attempt.ended' }>;

function ended(facts: Parameters<typeof exclusionOf>[1], outcome: Ended['outcome'] = 'failed'): Ended {
  const excludes = exclusionOf('demo/@one', facts);
  const base = { type: 'attempt.ended', lane: 'api', attempt: 1, outcome, exit: 1 } as const;
  return { ...base, ...(excludes && { excludes }) };
}
const refused = (reason: RefusalReason) => ended({ refused: { reason, message: 'no.' } });
const limited = ended({ limit: { window: '5h' } });
const running = { status: 'running' } as const;
const goesTo = (event: Ended, left?: LeftWork, status: 'running' | 'stopping' = 'running') =>
  failOver({ status }, { id: 'api' }, event, left).map((each) => 'to' in each && each.to);

describe('failOver', () => {
  it('keeps an account from the whole run that cannot be used, and from one job at its limit', () => {
    const from = (event: Ended) => [event.excludes?.from, event.excludes?.login];
    assert.deepEqual(from(refused('not_logged_in')), ['run', undefined]);
    assert.deepEqual(from(refused('billing')), ['run', true]);
    assert.deepEqual(from(limited), ['job', true]);
    for (const reason of ['model', 'throttled', 'network'] as const)
      assert.equal(refused(reason).excludes, undefined, reason);
    assert.equal(ended({}).excludes, undefined);
    assert.equal(refused('not_logged_in').excludes?.message, 'demo/@one is not logged in: no.');
  });

  it('has a lane queued again whose account cannot be used, whatever it has so far', () => {
    for (const left of [untouched, committed, dirty, undefined])
      assert.deepEqual(goesTo(refused('billing'), left), ['queued']);
    assert.deepEqual(goesTo(refused('model'), untouched), []);
  });

  it('loses nothing at a limit: queues what is untouched, checks what is committed, leaves the rest', () => {
    assert.deepEqual(goesTo(limited, untouched), ['queued']);
    assert.deepEqual(goesTo(limited, committed), ['verifying']);
    assert.deepEqual(goesTo(limited, dirty), []);
    assert.deepEqual(goesTo(limited, undefined), []);
  });

  it('starts nothing that was stopped, ran out of time, or may still be at work', () => {
    assert.deepEqual(goesTo(limited, untouched, 'stopping'), []);
    assert.deepEqual(goesTo({ ...limited, strays: [7] }, untouched), []);
    for (const outcome of ['succeeded', 'stopped', 'timeout', 'lost'] as const)
      assert.deepEqual(goesTo({ ...limited, outcome }, untouched), [], outcome);
  });
});

describe('an account that a run had to do without', () => {
  const accounts = [account('demo/@one', { identity: 'me' }), account('demo/@two', { identity: 'me' })];
  const begin = [api.assigned(), api.created(), api.started()];
  const after = (event: Ended, ...more: RunEventBody[]) =>
    stateAfter(two, ...begin, event, ...failOver(running, { id: 'api' }, event, untouched), ...more);
  const given = (state: ReturnType<typeof after>, known = accounts) =>
    decide(state, facts({ accounts: known })).map((action) => {
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
