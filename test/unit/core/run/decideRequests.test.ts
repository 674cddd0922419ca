import assert from 'node:assert/strict';
import type { LaneState } from '../../../../src/core/lanes/laneState.ts';
import type { Action } from '../../../../src/core/run/action.ts';
import { decideRequests } from '../../../../src/core/run/decideRequests.ts';
import type { Facts } from '../../../../src/core/run/facts.ts';
import type { Request } from '../../../../src/core/run/request.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { attemptFolder, checkFolder } from '../../../../src/core/run/stepFolders.ts';
import { story, way } from './events.ts';
import { facts, job, plan, stateAfter } from './samples.ts';

const made = plan([job('api'), job('docs'), job('web', { depends_on: ['api'] })]);
const api = story('api');
const agent = attemptFolder('api', 1);
const running = { state: 'running', stopping: false } as const;

function decided(before: RunEventBody[], requests: Request[], more: Partial<Facts> = {}): Action[] {
  return decideRequests(stateAfter(made, ...before), facts({ requests, ...more }));
}

/** What is said to the last request, and what is done with it; nothing while it waits. */
function answer(actions: readonly Action[]): { ok?: boolean; message?: string; done: string[] } {
  const events = actions.flatMap((action) =>
    action.do === 'append' ? action.events : action.do === 'stopStep' ? action.answer : [],
  );
  const told = events.findLast((event) => event.type === 'request.answered');
  const done = [
    ...actions.flatMap((action) => (action.do === 'append' ? [] : [action.do])),
    ...events.flatMap((event) => (event.type === 'request.answered' ? [] : [event.type])),
  ];
  return told === undefined ? { done } : { ok: told.ok, message: told.message, done };
}

/** What each request makes of a lane in each state: what is done, `no` when it is refused, nothing when it waits. */
const table: [LaneState, RunEventBody[], Record<'merge' | 'gate' | 'retry' | 'stopLane', string>][] = [
  ['queued', way('api').queued(), { merge: 'no', gate: 'no', retry: 'no', stopLane: 'no' }],
  ['preparing', way('api').preparing(), { merge: 'no', gate: 'no', retry: 'no', stopLane: 'lane.blocked' }],
  ['running', way('api').running(), { merge: 'no', gate: 'no', retry: 'no', stopLane: 'stopStep' }],
  ['verifying', way('api').verifying(), { merge: 'no', gate: 'no', retry: 'no', stopLane: '' }],
  ['ready', way('api').ready(), { merge: 'planMerge', gate: 'lane.reopened', retry: 'no', stopLane: 'no' }],
  [
    'merging',
    way('api').merging(),
    { merge: 'merge.joined', gate: 'no', retry: 'no', stopLane: 'merge.stopping' },
  ],
  ['merged', way('api').merged(), { merge: 'yes', gate: 'no', retry: 'no', stopLane: 'no' }],
  [
    'failed',
    way('api').failed(),
    { merge: 'no', gate: 'lane.reopened', retry: 'lane.reopened', stopLane: 'no' },
  ],
  [
    'interrupted',
    way('api').interrupted(),
    { merge: 'no', gate: 'lane.reopened', retry: 'lane.reopened', stopLane: 'no' },
  ],
  [
    'blocked',
    [...way('api').preparing(), api.created(), api.blocked()],
    { merge: 'no', gate: 'lane.reopened', retry: 'lane.reopened', stopLane: 'no' },
  ],
  ['blocked', way('api').blocked(), { merge: 'no', gate: 'no', retry: 'lane.reopened', stopLane: 'no' }],
];

describe('decideRequests', () => {
  for (const [state, before, answers] of table) {
    for (const [what, expected] of Object.entries(answers)) {
      it(`${what} of a lane that is ${state}${before.length === 1 ? ' and has no worktree' : ''}: ${expected === '' ? 'waits' : expected}`, () => {
        const request = { id: 'q1', do: what, lane: 'api' } as Request;
        const {
          ok,
          message = '',
          done,
        } = answer(decided(before, [request], { steps: { [agent]: running } }));
        const said = ok === undefined ? '' : ok ? 'yes' : 'no';
        assert.equal(done[0] ?? said, expected);
        if (expected === 'no') assert.match(message, /api (is|has)/, 'a refusal says why');
      });
    }
  }

  it('refuses what concerns a lane that the run does not have', () => {
    const request: Request = { id: 'q1', do: 'retry', lane: 'ghost' };
    assert.equal(answer(decided([], [request])).message, 'There is no lane ghost in this run.');
  });

  it('writes an answer together with what it answers', () => {
    const [action, ...more] = decided(way('api').failed(), [{ id: 'q1', do: 'retry', lane: 'api' }]);
    assert.equal(more.length, 0);
    assert.ok(action?.do === 'append');
    assert.deepEqual(
      action.events.map(({ type }) => type),
      ['lane.reopened', 'request.answered'],
    );
  });

  it('lets a gate end whose checks have run before it asks for another', () => {
    const gate: Request = { id: 'q1', do: 'gate', lane: 'api' };
    const lost = [...way('api').gated(), api.checked('test', 'interrupted')];
    assert.deepEqual(decided(lost, [gate]), []);
    assert.equal(answer(decided([...lost, api.gateEnded('interrupted')], [gate])).done[0], 'lane.reopened');
    const whole = [...way('api').gated(), api.checked('test'), api.checked('lint')];
    assert.deepEqual(decided(whole, [gate]), []);
    assert.equal(answer(decided(way('api').gated(), [gate])).ok, false, 'its checks still run');
  });

  it('writes down that a lane was stopped before its agent began, so that it can go on', () => {
    const [action] = decided(way('api').preparing(), [{ id: 'q1', do: 'stopLane', lane: 'api' }]);
    assert.ok(action?.do === 'append' && action.events[0]?.type === 'lane.blocked');
    assert.equal(action.events[0].deferred, true);
  });

  describe('a lane that a resume asks for', () => {
    const change = { what: 'ref', name: 'main', message: 'refs/heads/main was moved.' } as const;
    const reopened = (before: RunEventBody[], request: Request) => {
      const [action] = decided(before, [request]);
      assert.ok(action?.do === 'append' && action.events[0]?.type === 'lane.reopened');
      return action.events[0];
    };
    const changed = { ...api.ended('lost'), foreign: [change] } as RunEventBody;
    const gated = [...way('api').gated(), api.checked('test', 'interrupted'), api.gateEnded('interrupted')];

    for (const what of ['retry', 'gate'] as const)
      it(`keeps what changed outside of it, which a person who asks for it takes: ${what}`, () => {
        const before = [...way('api').running(), changed];
        const request = { id: 'q1', do: what, lane: 'api' } as const;
        assert.equal(reopened(before, request).accepts, true);
        assert.equal(reopened(before, { ...request, resumed: true }).accepts, undefined);
        assert.equal(reopened(way('api').interrupted(), request).accepts, undefined, 'nothing has changed');
      });

    it('has a gate that was broken off decide about a limit as it would have', () => {
      const limited: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'verifying', limited: true };
      const [started, ...rest] = gated.slice(way('api').verifying().length);
      const before = [...way('api').failed(), limited, started!, ...rest];
      const request = { id: 'q1', do: 'gate', lane: 'api', resumed: true } as const;
      assert.equal(reopened(before, request).limited, true);
      assert.equal(reopened(gated, request).limited, undefined);
    });

    it('has its agent told again what a person told it and it did not get done', () => {
      const next = { how: 'tell', session: 's1', account: 'demo/@one', text: 'And a footer' } as const;
      const told = (outcome: 'stopped' | 'lost' | 'failed') => [
        ...way('api').ready(),
        { type: 'lane.reopened', lane: 'api', to: 'queued', next } as RunEventBody,
        ...way('api').preparing(),
        api.created(),
        { ...api.started(2), next } as RunEventBody,
        api.ended(outcome, 2),
      ];
      const request = { id: 'q1', do: 'retry', lane: 'api' } as const;
      for (const outcome of ['stopped', 'lost'] as const)
        assert.deepEqual(reopened(told(outcome), { ...request, resumed: true }).next, next);
      assert.deepEqual(reopened(told('failed'), request).next, { how: 'handover' });
    });
  });

  describe('tries a lane again', () => {
    const again = (before: RunEventBody[]): unknown => {
      const [action] = decided(before, [{ id: 'q1', do: 'retry', lane: 'api' }]);
      assert.ok(action?.do === 'append');
      const [reopened] = action.events;
      assert.ok(reopened?.type === 'lane.reopened', 'it is not tried again');
      return reopened.next;
    };
    const nothing = { files: 0, insertions: 0, deletions: 0, commits: 0, outside_paths: [] };
    const settled = { ...api.settled(), changes: nothing } as RunEventBody;
    const ungated = [api.gateStarted(), api.checked('test', 'failed'), api.gateEnded('failed')];

    it('with an agent that is told of the one before it, which may have left work', () => {
      for (const before of [way('api').failed(), way('api').interrupted()])
        assert.deepEqual(again(before), { how: 'handover' });
      const judged = [...way('api').verifying(), api.settled(), ...ungated];
      assert.deepEqual(again(judged), { how: 'handover' });
    });

    it('with a fresh conversation where there was no agent, or where it left nothing', () => {
      assert.equal(again(way('api').blocked()), undefined);
      assert.equal(again([...way('api').verifying(), settled, ...ungated]), undefined);
    });

    it('as it was to go on, where the next agent had not begun', () => {
      const next = { how: 'continue', kind: 'demo', session: 's1', from: 'demo/@one' } as const;
      const queued: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'queued', next };
      const before = [...way('api').failed(), queued, api.blocked()];
      assert.equal(again(before), undefined, 'it was told otherwise');
    });
  });

  it('answers nothing twice, even when the list of requests is older than the state', () => {
    const answered = { type: 'request.answered', request: 'q1', ok: true, message: 'yes' } as const;
    const request: Request = { id: 'q1', do: 'retry', lane: 'api' };
    assert.deepEqual(decided([...way('api').failed(), answered], [request]), []);
    assert.equal(decided(way('api').failed(), [request]).length, 1);
  });

  it('tries a lane again only when what it comes after is not in the way', () => {
    const request: Request = { id: 'q1', do: 'retry', lane: 'web' };
    const blocked = story('web').blocked();
    const refused = answer(decided([...way('api').failed(), blocked], [request]));
    assert.equal(refused.message, 'Lane web comes after api, which failed; try api again and web follows.');
    assert.equal(answer(decided([...way('api').running(), blocked], [request])).ok, true);
  });

  describe('merge', () => {
    const merge = (lane: string, id = 'm1'): Request => ({ id, do: 'merge', lane });
    const both = [...way('api').ready(), ...way('docs').ready()];

    it('takes one lane at a time', () => {
      const actions = decided(both, [merge('api'), merge('docs', 'm2')]);
      assert.deepEqual(
        actions.map((action) => 'lane' in action && action.lane),
        ['api'],
      );
      const later = decided([...both, api.mergePlanned()], [merge('api'), merge('docs', 'm2')]);
      assert.deepEqual(later, []);
      assert.equal(decided(way('docs').ready(), [merge('docs', 'm2')]).length, 1);
    });

    it('waits while another run merges into the target', () => {
      assert.deepEqual(decided(both, [merge('api')], { mayMerge: false }), []);
      assert.equal(
        answer(decided([], [merge('api')], { mayMerge: false })).ok,
        false,
        'a refusal needs no lock',
      );
    });

    it('is answered when it is applied or refused, with the reasons', () => {
      assert.deepEqual(decided(way('api').merging(), [merge('api')]), []);
      const refused = [...way('api').merging(), api.mergeRefused()];
      assert.equal(answer(decided(refused, [merge('api')])).message, 'it conflicts.');
      const merged = answer(decided(way('api').merged(), [merge('api')]));
      assert.deepEqual([merged.ok, merged.message], [true, 'Lane api is merged into main.']);
    });

    it('joins the same merge that is under way, and gets its answer', () => {
      const joined = [...way('api').merging(), api.mergeJoined()];
      assert.deepEqual(decided(joined, [merge('api', 'm2')]), []);
      const refused = decided([...joined, api.mergeRefused()], [merge('api'), merge('api', 'm2')]);
      assert.deepEqual(
        refused.map((action) => action.do === 'append' && action.events[0]?.type),
        ['request.answered', 'request.answered'],
      );
      const shown = (expect: string): Request => ({ id: 'm2', do: 'merge', lane: 'api', expect });
      assert.deepEqual(answer(decided(way('api').merging(), [shown('t0')])).done, ['merge.joined']);
      assert.equal(answer(decided(way('api').merging(), [shown('t9')])).ok, false, 'another merge was shown');
      const stopping = [...way('api').merging(), api.mergeStopping()];
      assert.equal(answer(decided(stopping, [merge('api', 'm2')])).ok, false);
    });

    it('is planned anew for another request after a refusal', () => {
      const refused = [...way('api').merging(), api.mergeRefused()];
      assert.deepEqual(answer(decided(refused, [merge('api', 'm2')])).done, ['planMerge']);
    });
  });

  describe('stopLane', () => {
    const stop: Request = { id: 'q1', do: 'stopLane', lane: 'api' };
    const told = (
      state: 'absent' | 'starting' | 'running' | 'ended' | 'lost',
      before = way('api').running(),
    ) => {
      const folder = before.length === 3 ? agent : checkFolder('api', 1, 'test');
      return answer(decided(before, [stop], { steps: { [folder]: { state, stopping: false } } }));
    };

    it('answers only when there is something that hears it', () => {
      assert.deepEqual(told('absent'), { done: [] });
      assert.deepEqual(told('ended'), { done: [] });
      assert.deepEqual(told('lost'), { done: [] });
      assert.equal(told('starting').ok, true);
      assert.deepEqual(told('running').done, ['stopStep']);
    });

    it('stops a merge before its gate, during it and after it', () => {
      for (const before of [way('api').merging(), way('api').mergeGated()])
        assert.deepEqual(answer(decided(before, [stop])).done, ['merge.stopping']);
      const passed = [...way('api').mergeGated(), api.checked('test', 'passed', 2)];
      const gated = [...passed, api.checked('lint', 'passed', 2), api.gateEnded('passed', 2)];
      assert.deepEqual(answer(decided(gated, [stop])).done, ['merge.stopping']);
      const again = answer(decided([...gated, api.mergeStopping()], [stop]));
      assert.deepEqual([again.ok, again.done], [true, []]);
    });

    it('stops the check that runs', () => {
      assert.deepEqual(told('running', way('api').gated()).done, ['stopStep']);
    });
  });

  describe('a run that is being stopped', () => {
    const stopRun: Request = { id: 's1', do: 'stopRun' };
    const stopping: RunEventBody = { type: 'run.stopping' };
    const failed = way('api').failed();

    it('takes no more work on', () => {
      for (const what of ['merge', 'gate', 'retry'] as const) {
        const request: Request = { id: 'q1', do: what, lane: 'api' };
        const before = what === 'merge' ? way('api').ready() : failed;
        assert.equal(answer(decided([...before, stopping], [request])).ok, false, what);
        assert.notEqual(answer(decided(before, [request])).ok, false, what);
      }
    });

    it('still answers the merge that it has begun', () => {
      const refused = [...way('api').merging(), stopping, api.mergeRefused()];
      assert.equal(
        answer(decided(refused, [{ id: 'm1', do: 'merge', lane: 'api' }])).message,
        'it conflicts.',
      );
    });

    it('is asked once and says so when asked again', () => {
      assert.deepEqual(answer(decided([], [stopRun])).done, ['run.stopping']);
      assert.deepEqual(answer(decided([stopping], [stopRun])), {
        ok: true,
        message: 'The run is stopping.',
        done: [],
      });
    });

    it('takes stop and retry in the order in which they were asked', () => {
      const ended: RunEventBody[] = [...failed, { type: 'run.ended', outcome: 'failed' }];
      const retry: Request = { id: 'q1', do: 'retry', lane: 'api' };
      assert.deepEqual(answer(decided(ended, [retry, stopRun])).done, ['lane.reopened']);
      assert.equal(answer(decided(ended, [stopRun, retry])).message, 'The run is failed.');
      assert.deepEqual(answer(decided(failed, [stopRun, retry])).done, ['run.stopping']);
    });
  });
});
