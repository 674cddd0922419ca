import assert from 'node:assert/strict';
import type { Action } from '../../../../src/core/run/action.ts';
import { decide } from '../../../../src/core/run/decide.ts';
import { describeForeign } from '../../../../src/core/run/describeForeign.ts';
import type { Facts } from '../../../../src/core/run/facts.ts';
import type { RequestBody } from '../../../../src/core/run/request.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { rescued, story, way } from './events.ts';
import { account, facts, job, laneOf, plan, stateAfter } from './samples.ts';

const made = plan([job('api')]);
const api = story('api');
type Why = Extract<RunEventBody, { type: 'lane.closing' }>['why'];
const closing = (why: Why, more: object = {}): RunEventBody => ({
  type: 'lane.closing',
  lane: 'api',
  why,
  ...more,
});
const removed: RunEventBody = { type: 'lane.removed', lane: 'api', branch: 'deleted', left: [] };
const kept: RunEventBody = { type: 'lane.kept', lane: 'api', reasons: ['a process is inside'] };
const anew: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', anew: true };

function decided(before: RunEventBody[], more: Partial<Facts> = {}, chosen = made): Action[] {
  return decide(stateAfter(chosen, ...before), facts({ accounts: [account('demo/@one')], ...more }));
}
function asked(before: RunEventBody[], body: RequestBody): string[] {
  const requests = [{ ...body, id: 'q1' }];
  return decided(before, { requests }).flatMap((action) =>
    action.do === 'append'
      ? action.events.map((each) => ('message' in each ? (each.message ?? '') : each.type))
      : [action.do],
  );
}
const after = (...events: RunEventBody[]) => laneOf(stateAfter(made, ...events), 'api');

describe('a lane that is being closed', () => {
  it('has nothing else happen to it', () => {
    for (const state of ['queued', 'ready', 'failed', 'interrupted', 'blocked'] as const) {
      const before = [...way('api')[state](), closing('discard')];
      assert.deepEqual(decided(before), [{ do: 'closeLane', lane: 'api' }], state);
      for (const what of ['merge', 'gate', 'retry', 'discard'] as const)
        assert.deepEqual(asked(before, { do: what, lane: 'api' }), ['closeLane'], `${state}, ${what}`);
    }
    for (const event of [api.assigned(), api.reopened(), closing('remove'), api.mergePlanned()])
      for (const state of ['queued', 'ready', 'failed'] as const)
        assert.throws(() => stateAfter(made, ...way('api')[state](), closing('discard'), event), event.type);
  });

  it('is dropped after a discard, stays what it was after a removal, and begins anew after a restart', () => {
    assert.equal(after(...way('api').failed(), closing('discard'), rescued('api'), removed).state, 'dropped');
    const merged = after(...way('api').merged(), closing('remove'), removed);
    assert.deepEqual(
      [merged.state, merged.worktree, merged.removed?.path],
      ['merged', undefined, '/lanes/api'],
    );
    const restarted = after(...way('api').failed(), anew, closing('restart'), rescued('api'), removed);
    assert.deepEqual([restarted.state, restarted.anew, restarted.head], ['queued', undefined, undefined]);
    assert.equal(restarted.rescues.length, 1);
  });

  it('stays as it is where it is kept, but for a restart, which then needs a person', () => {
    for (const why of ['discard', 'remove'] as const)
      assert.equal(after(...way('api').ready(), closing(why), kept).state, 'ready');
    const stuck = after(...way('api').failed(), anew, closing('restart'), kept);
    assert.deepEqual(
      [stuck.state, stuck.reasons, stuck.closing],
      ['blocked', ['a process is inside'], undefined],
    );
  });

  it('is blocked once it was rescued where nobody answered its agent', () => {
    const before = [
      ...way('api').interrupted(),
      closing('blocked', { message: 'Nobody answered.' }),
      rescued('api'),
    ];
    const [action] = decided(before);
    assert.deepEqual(action, { do: 'closeLane', lane: 'api' });
    const lane = after(...before, api.blocked('Nobody answered.'));
    assert.deepEqual([lane.state, lane.closing, lane.worktree?.path], ['blocked', undefined, '/lanes/api']);
  });

  it('says in views what is done with it, and can not be merged', () => {
    const state = stateAfter(made, ...way('api').ready(), closing('discard'));
    const [lane] = toRunView(state, { folder: '/run', owner: null, activity: {} }).lanes;
    assert.deepEqual([lane?.mergeable, lane?.closing], [false, 'discard']);
    assert.deepEqual(lane?.why_not, ['it is being rescued and discarded']);
  });
});

describe('discard and remove', () => {
  const discard = { do: 'discard', lane: 'api' } as const;
  const remove = { do: 'remove', lane: 'api' } as const;

  it('begin where nothing of the lane runs', () => {
    for (const state of ['queued', 'ready', 'failed', 'interrupted', 'blocked'] as const)
      assert.ok(asked(way('api')[state](), discard).includes('lane.closing'), state);
    assert.deepEqual(asked(way('api').merged(), remove)[0], 'lane.closing');
  });

  it('are refused with the cure where something runs, or where the other is meant', () => {
    for (const state of ['preparing', 'running', 'waiting', 'verifying', 'merging'] as const)
      assert.match(asked(way('api')[state](), discard)[0] ?? '', /stop it first: ak lane stop api/, state);
    assert.match(asked(way('api').merged(), discard)[0] ?? '', /clean it up instead/);
    assert.match(asked(way('api').ready(), remove)[0] ?? '', /Discard it instead/);
  });

  it('say so when it is done already', () => {
    const gone = [...way('api').failed(), closing('discard'), removed];
    assert.match(asked(gone, discard)[0] ?? '', /nothing of it is left/);
  });
});

describe('a lane that begins anew', () => {
  const waits = [...way('api').failed(), anew];
  const names = (actions: Action[]) =>
    actions.map((each) => (each.do === 'append' ? each.events.map(({ type }) => type).join() : each.do));

  it('makes room only when an account can take it', () => {
    assert.deepEqual(names(decided(waits)), ['lane.closing']);
    assert.deepEqual(names(decided(waits, { accounts: [account('demo/@one', { busy: true })] })), []);
    assert.deepEqual(names(decided(waits, { accounts: [] })), ['lane.blocked']);
    assert.deepEqual(names(decided([...waits, closing('restart'), removed])), ['assign']);
  });

  it('keeps what it has once a person asks for it, and its agent is told what is there', () => {
    const retry: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', retry: 'q1' };
    const lane = after(...waits, api.blocked(), retry);
    assert.deepEqual([lane.anew, lane.next], [undefined, { how: 'handover' }]);
    assert.equal(after(...way('api').failed(), retry).next, undefined);
  });

  it('follows on a gate that work at a limit did not pass', () => {
    const limited = (next?: object): RunEventBody =>
      ({
        type: 'lane.reopened',
        lane: 'api',
        to: 'verifying',
        limited: true,
        ...(next && { next }),
      }) as RunEventBody;
    const refused = (event: RunEventBody) => [
      ...way('api').failed(),
      event,
      api.settled('It wrote elsewhere.'),
    ];
    const to = (event: RunEventBody) =>
      decided(refused(event)).map((each) => each.do === 'append' && each.events);
    assert.deepEqual(to(limited()), [[anew]]);
    const next = { how: 'handover' };
    assert.deepEqual(to(limited(next)), [[{ type: 'lane.reopened', lane: 'api', to: 'queued', next }]]);
    const passed = [
      ...way('api').failed(),
      limited(),
      api.settled(),
      api.gateStarted(),
      api.checked('test'),
      api.checked('lint'),
      api.gateEnded(),
    ];
    assert.equal(after(...passed).state, 'ready');
  });
});

describe('an account that there is not', () => {
  const until = '2026-03-02T15:00:00Z';
  const used = account('demo/@one', { qualifies: false, reason: '5h used up', resets_at: until });
  const waiting = plan([job('api')], { when_empty: 'wait' });

  it('blocks a lane with the soonest reset, or has it wait for that, which is told once', () => {
    const [blocked] = decided([], { accounts: [used] });
    assert.ok(blocked?.do === 'append' && blocked.events[0]?.type === 'lane.blocked');
    assert.match(blocked.events[0].message, /soonest reset is 2026-03-02T15:00:00Z/);
    const [postponed] = decided([], { accounts: [used] }, waiting);
    assert.ok(postponed?.do === 'append' && postponed.events[0]?.type === 'lane.postponed');
    assert.equal(postponed.events[0].until, until);
    assert.deepEqual(decided(postponed.events, { accounts: [used] }, waiting), []);
    const later = decided(
      postponed.events,
      { accounts: [{ ...used, resets_at: '2026-03-02T16:00:00Z' }] },
      waiting,
    );
    assert.equal(later.length, 1);
    assert.deepEqual(
      decided(postponed.events, {}, waiting).map((each) => each.do),
      ['assign'],
    );
    const state = stateAfter(waiting, ...postponed.events);
    const [lane] = toRunView(state, { folder: '/run', owner: null, activity: {} }).lanes;
    assert.match(lane?.why_not.join() ?? '', /waits until 2026-03-02T15:00:00Z: No account/);
    assert.equal(
      laneOf(stateAfter(waiting, ...postponed.events, api.assigned()), 'api').postponed,
      undefined,
    );
  });

  it('is not waited for where its reset would not bring it back for the job', () => {
    const excludes = { from: 'job', login: true, message: 'did not get done' } as const;
    const back = (more: object) => {
      const ended = { ...api.ended('failed'), excludes, ...more } as RunEventBody;
      const events = [...way('api').running(), ended, api.reopened()];
      const [action] = decided(events, { accounts: [used] }, waiting);
      return action?.do === 'append' ? action.events[0]?.type : undefined;
    };
    assert.equal(back({}), 'lane.blocked');
    assert.equal(back({ limit: { window: '5h', resets_at: until } }), 'lane.postponed');
  });

  it('is told with what comes first where time was over', () => {
    const excludes = { from: 'job', login: true, message: 'demo/@one did not get done' } as const;
    const ended = { ...api.ended('timeout'), message: 'Stopped after 5 s', excludes } as RunEventBody;
    const [blocked] = decided([...way('api').running(), ended, api.reopened()]);
    assert.ok(blocked?.do === 'append' && blocked.events[0]?.type === 'lane.blocked');
    assert.match(blocked.events[0].message, /^It ran out of time \(Stopped after 5 s\)\. Split the job/);
  });

  it('leaves a job that names its account with nobody else, also where a conversation could go on', () => {
    const named = plan([job('api', { account: 'demo/@one' })]);
    const next = { how: 'continue', kind: 'demo', session: 's', from: 'demo/@one' } as const;
    const again: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', next };
    const before = [...way('api').failed(), again];
    const accounts = [account('demo/@two')];
    assert.equal(decided(before, { accounts }, named)[0]?.do, 'append');
    assert.equal(decided(before, { accounts })[0]?.do, 'assign');
  });
});

describe('what changed outside of a lane', () => {
  const change = { what: 'ref', name: 'main', message: 'refs/heads/main was moved.' } as const;
  const ended = { ...api.ended('failed'), foreign: [change] } as RunEventBody;

  it('stays with it over later attempts until a person has seen it', () => {
    const again = [
      ...way('api').running(),
      ended,
      api.reopened(),
      api.assigned(),
      api.created(),
      api.started(2),
    ];
    assert.deepEqual(after(...again).foreign, [change]);
    assert.deepEqual(after(...again, api.ended('succeeded', 2)).foreign, [change]);
    const accepted: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'verifying', accepts: true };
    assert.deepEqual(after(...way('api').running(), ended, accepted).foreign, []);
    const retried: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', retry: 'q1' };
    assert.deepEqual(after(...way('api').running(), ended, retried).foreign, [change], 'it was a resume');
    assert.deepEqual(after(...way('api').running(), ended, { ...retried, accepts: true }).foreign, []);
    const told = asked([...way('api').running(), ended], { do: 'gate', lane: 'api' });
    assert.match(told.join(), /gate of lane api runs/);
  });

  it('is told of a lane that nothing judges yet, as soon as its agent has ended', () => {
    for (const outcome of ['stopped', 'lost', 'failed'] as const) {
      const { reasons } = after(...way('api').running(), {
        ...api.ended(outcome),
        foreign: [change],
      } as RunEventBody);
      assert.deepEqual(reasons, [`the agent: ${outcome}`, describeForeign('api', [change])]);
      assert.deepEqual(after(...way('api').running(), api.ended(outcome)).reasons, [`the agent: ${outcome}`]);
    }
  });

  it('is told as one sentence with what to do', () => {
    assert.equal(describeForeign('api', []), undefined);
    const text = describeForeign('api', [change, { ...change, message: 'core.bare was set' }]);
    assert.match(text ?? '', /: refs\/heads\/main was moved; core\.bare was set\. Look .*ak lane gate api$/);
  });
});
