import assert from 'node:assert/strict';
import type { RefusalReason } from '../../../../src/core/accounts/refusal.ts';
import type { ResolvedPlan } from '../../../../src/core/plan/plan.ts';
import {
  exclusionOf,
  failOver,
  type AttemptFacts,
  type LeftWork,
} from '../../../../src/core/run/failOver.ts';
import type { NextAttempt } from '../../../../src/core/run/nextAttempt.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story } from './events.ts';
import { job, laneOf, plan, stateAfter } from './samples.ts';

const api = story('api');
const untouched: LeftWork = { clean: true, untouched: true };
const committed: LeftWork = { clean: true, untouched: false };
const dirty: LeftWork = { clean: false, untouched: false };
const begin = [api.assigned(), api.created(), api.started()];

type Ended = Extract<RunEventBody, { type: 'attempt.ended' }>;

function ended(end: Parameters<typeof exclusionOf>[1], outcome: Ended['outcome'] = 'failed'): Ended {
  const excludes = exclusionOf('demo/@one', { ...end, outcome });
  const base = {
    type: 'attempt.ended',
    lane: 'api',
    attempt: 1,
    outcome,
    exit: 1,
    session_id: 's1',
  } as const;
  return { ...base, ...(end.limit && { limit: end.limit }), ...(excludes && { excludes }) };
}
const refused = (reason: RefusalReason) => ended({ refused: { reason, message: 'no.' } });
const limited = ended({ limit: { window: '5h' } });
const late: Ended = { ...ended({}, 'timeout'), message: 'Stopped after its time' };
const broken: Ended = { ...ended({}), message: 'It crashed' };
const lost = ended({}, 'lost');

interface Row {
  what: string;
  event: Ended;
  left?: LeftWork;
  plan?: Partial<ResolvedPlan>;
  max_attempts?: number;
  facts?: Partial<AttemptFacts>;
  next?: NextAttempt;
  /** Ends of attempts before this one. */
  before?: Ended[];
  /** Where it goes, or the advice with which it stays. */
  goes: string | RegExp;
}

const tell: NextAttempt = { how: 'tell', session: 's0', account: 'demo/@one', text: 'go' };
const carried: NextAttempt = { how: 'continue', kind: 'demo', session: 's0', from: 'demo/@zero' };
const onLimit = (on_limit: ResolvedPlan['on_limit']) => ({ plan: { on_limit } });
const may = (mayContinue: true | string) => ({ facts: { mayContinue } });
const strays = { ...limited, strays: [7] };

/** The failover table of the design, row by row. */
const table: Row[] = [
  ...(['not_logged_in', 'billing'] as const).flatMap((reason): Row[] => [
    { what: `${reason}, untouched`, event: refused(reason), left: untouched, goes: 'queued' },
    { what: `${reason}, with commits`, event: refused(reason), left: committed, goes: 'queued handover' },
    { what: `${reason}, dirty`, event: refused(reason), left: dirty, goes: 'queued handover' },
    { what: `${reason}, nobody knows`, event: refused(reason), goes: 'queued handover' },
  ]),
  {
    what: 'an account that is not there when the agent is to begin',
    event: { ...lost, excludes: { from: 'run', message: 'gone' } },
    left: untouched,
    next: carried,
    goes: 'queued continue s0',
  },
  {
    what: 'an account that is not there when the agent is to go on, where something is',
    event: { ...lost, excludes: { from: 'run', message: 'gone' } },
    left: dirty,
    next: carried,
    goes: 'queued continue s0',
  },
  {
    what: 'an account whose CLI did not answer, untouched',
    event: { ...lost, excludes: { from: 'job', message: 'no answer' } },
    left: untouched,
    goes: 'queued',
  },
  {
    what: 'an account whose CLI did not answer, where something is',
    event: { ...lost, excludes: { from: 'job', message: 'no answer' } },
    left: dirty,
    goes: 'queued handover',
  },
  {
    what: 'an account whose CLI did not answer for what one told',
    event: { ...lost, excludes: { from: 'job', message: 'no answer' } },
    left: untouched,
    next: tell,
    goes: /tell it again/,
  },
  {
    what: 'an account that cannot run what one told',
    event: refused('billing'),
    next: tell,
    goes: /tell it again/,
  },
  { what: 'a limit, untouched', event: limited, left: untouched, goes: 'queued' },
  { what: 'a limit, with commits', event: limited, left: committed, goes: 'verifying limited' },
  { what: 'a limit, dirty', event: limited, left: dirty, goes: 'queued anew' },
  { what: 'a limit, nobody knows', event: limited, goes: 'queued anew' },
  {
    what: 'a limit met when time was over',
    event: { ...limited, outcome: 'timeout' },
    left: dirty,
    goes: 'queued anew',
  },
  { what: 'a limit, where processes are left', event: strays, left: untouched, goes: 'queued anew' },
  {
    what: 'a limit, handover, untouched',
    event: limited,
    left: untouched,
    ...onLimit('handover'),
    goes: 'queued',
  },
  {
    what: 'a limit, handover, with commits',
    event: limited,
    left: committed,
    ...onLimit('handover'),
    goes: 'verifying limited handover',
  },
  {
    what: 'a limit, handover, dirty',
    event: limited,
    left: dirty,
    ...onLimit('handover'),
    goes: 'queued handover',
  },
  {
    what: 'a limit, handover, where processes are left',
    event: strays,
    left: dirty,
    ...onLimit('handover'),
    goes: /end them, then retry/,
  },
  {
    what: 'a limit, continue, untouched',
    event: limited,
    left: untouched,
    ...onLimit('continue'),
    ...may(true),
    goes: 'queued continue s1',
  },
  {
    what: 'a limit, continue, with commits',
    event: limited,
    left: committed,
    ...onLimit('continue'),
    ...may(true),
    goes: 'verifying limited continue s1',
  },
  {
    what: 'a limit, continue, dirty',
    event: limited,
    left: dirty,
    ...onLimit('continue'),
    ...may(true),
    goes: 'queued continue s1',
  },
  {
    what: 'a limit, may not continue, untouched',
    event: limited,
    left: untouched,
    ...onLimit('continue'),
    ...may('say: ak consent add'),
    goes: 'queued',
  },
  {
    what: 'a limit, may not continue, with commits',
    event: limited,
    left: committed,
    ...onLimit('continue'),
    ...may('say: ak consent add'),
    goes: 'verifying',
  },
  {
    what: 'a limit, may not continue, dirty',
    event: limited,
    left: dirty,
    ...onLimit('continue'),
    ...may('say: ak consent add'),
    goes: /cannot go on under another account: say: ak consent add/,
  },
  {
    what: 'a limit, continue, without a session',
    event: without(limited),
    left: dirty,
    ...onLimit('continue'),
    ...may(true),
    goes: /told of no session/,
  },
  { what: 'a limit of what one told, dirty', event: limited, left: dirty, next: tell, goes: /tell it again/ },
  {
    what: 'a limit of what one told, with commits',
    event: limited,
    left: committed,
    next: tell,
    goes: 'verifying',
  },
  {
    what: 'a limit of what one told, continue',
    event: limited,
    left: dirty,
    next: tell,
    ...onLimit('continue'),
    ...may(true),
    goes: 'queued continue s1',
  },
  { what: 'time over, untouched', event: late, left: untouched, goes: 'queued' },
  { what: 'time over, dirty', event: late, left: dirty, goes: 'queued anew' },
  { what: 'time over, with commits', event: late, left: committed, goes: 'queued anew' },
  {
    what: 'time over, handover, dirty',
    event: late,
    left: dirty,
    ...onLimit('handover'),
    goes: 'queued handover',
  },
  {
    what: 'time over, continue, dirty',
    event: late,
    left: dirty,
    ...onLimit('continue'),
    goes: 'queued handover',
  },
  {
    what: 'time over twice',
    event: late,
    left: untouched,
    before: [late],
    goes: /^Stopped after its time\. .*twice: split the job/,
  },
  { what: 'time over, then a limit', event: limited, left: untouched, before: [late], goes: 'queued' },
  {
    what: 'time over, the only try',
    event: late,
    left: untouched,
    max_attempts: 1,
    goes: /failed once.*max_attempts: 1/,
  },
  { what: 'a failure', event: broken, left: dirty, goes: /^It crashed$/ },
  {
    what: 'a failure that may happen again, untouched',
    event: broken,
    left: untouched,
    max_attempts: 2,
    goes: 'queued',
  },
  {
    what: 'a failure that may happen again, dirty',
    event: broken,
    left: dirty,
    max_attempts: 2,
    goes: 'queued handover',
  },
  {
    what: 'a failure that left processes',
    event: { ...broken, strays: [7] },
    left: dirty,
    max_attempts: 2,
    goes: /end them/,
  },
  {
    what: 'a second failure of two',
    event: broken,
    left: dirty,
    max_attempts: 2,
    before: [broken],
    goes: /^It crashed\. It has failed 2 times.*max_attempts: 2/,
  },
  {
    what: 'a second failure of three',
    event: broken,
    left: dirty,
    max_attempts: 3,
    before: [broken],
    goes: 'queued handover',
  },
  {
    what: 'a first failure after a limit, a lost login and a lost agent',
    event: broken,
    left: dirty,
    max_attempts: 2,
    before: [limited, refused('billing'), lost],
    goes: 'queued handover',
  },
  { what: 'a model that it may not use', event: refused('model'), left: untouched, goes: /^$/ },
  {
    what: 'nobody answered',
    event: ended({}, 'stopped'),
    facts: { unanswered: true },
    left: dirty,
    goes: 'closing blocked',
  },
  { what: 'somebody stopped it', event: ended({}, 'stopped'), left: dirty, goes: /^$/ },
  { what: 'its supervisor died', event: lost, left: untouched, max_attempts: 3, goes: /^$/ },
  { what: 'it did its work', event: ended({}, 'succeeded'), left: dirty, goes: /^$/ },
];

function without({ session_id: _, ...event }: Ended): Ended {
  return event;
}

function went(row: Row, stopping = false): string {
  const { event, left, plan: more = {}, max_attempts, next, before = [] } = row;
  const made = plan([job('api', max_attempts === undefined ? {} : { max_attempts })], more);
  const earlier = before.flatMap((end, index): RunEventBody[] => [
    { ...end, attempt: index + 1 },
    api.reopened(),
    api.assigned(),
    api.created(),
    api.started(index + 2),
  ]);
  const [assigned, created, started] = begin;
  assert.ok(assigned && created && started?.type === 'attempt.started');
  const running = [assigned, created, { ...started, ...(next && { next }) }, ...earlier];
  const state = stateAfter(made, ...running, ...(stopping ? [{ type: 'run.stopping' } as const] : []));
  const known = { left, mayContinue: 'not asked', unanswered: false, ...row.facts };
  const events = failOver(state, laneOf(state, 'api'), { ...event, attempt: before.length + 1 }, known);
  stateAfter(made, ...running, ...events);
  const [first, then] = events;
  assert.ok(first?.type === 'attempt.ended' && events.length <= 2);
  if (then?.type === 'lane.closing') return `closing ${then.why}`;
  if (then?.type !== 'lane.reopened') return first.message ?? '';
  const how = then.next?.how === 'continue' ? `continue ${then.next.session}` : then.next?.how;
  return [then.to, then.anew && 'anew', then.limited && 'limited', how].filter(Boolean).join(' ');
}

describe('failOver', () => {
  for (const row of table)
    it(`decides on ${row.what}`, () => {
      if (typeof row.goes === 'string') assert.equal(went(row), row.goes);
      else assert.match(went(row), row.goes);
    });

  it('has nothing go on in a run that is being stopped', () => {
    for (const row of table) assert.equal(went(row, true), row.event.message ?? '', row.what);
  });

  it('keeps an account from the whole run that cannot be used, and from one job at its limit or out of time', () => {
    const from = (event: Ended) => [event.excludes?.from, event.excludes?.login];
    assert.deepEqual(from(refused('not_logged_in')), ['run', undefined]);
    assert.deepEqual(from(refused('billing')), ['run', true]);
    assert.deepEqual(from(limited), ['job', true]);
    assert.deepEqual(from(late), ['job', true]);
    for (const reason of ['model', 'throttled', 'network'] as const)
      assert.equal(refused(reason).excludes, undefined, reason);
    assert.equal(ended({}).excludes, undefined);
    assert.equal(refused('not_logged_in').excludes?.message, 'demo/@one is not logged in: no.');
  });
});
