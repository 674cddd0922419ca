import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/core/lanes/laneView.ts';
import type { ResolvedPlan } from '../../../../src/core/plan/plan.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { toRunView, type ViewFacts } from '../../../../src/core/run/toRunView.ts';
import { story, way } from './events.ts';
import { job, plan, stateAfter } from './samples.ts';

const alone = plan([job('api')]);
const chain = plan([job('api'), job('web', { depends_on: ['api'] })]);
const api = story('api');
const alive = { pid: 7, head: 'ak', self: false, alive: true } as const;
const dead = { ...alive, alive: false };

function view(made: ResolvedPlan, before: RunEventBody[], more: Partial<ViewFacts> = {}): RunView {
  return toRunView(stateAfter(made, ...before), { folder: '/run', owner: alive, activity: {}, ...more });
}

function whyNot(before: RunEventBody[], made = alone): string[] | undefined {
  return view(made, before).lanes.at(-1)?.why_not;
}

describe('toRunView', () => {
  for (const [state, why] of [
    ['queued', 'waits for a free account'],
    ['preparing', 'its worktree is being made'],
    ['running', 'its agent is at work'],
    ['verifying', 'its gate runs'],
    ['merging', 'it is being merged'],
  ] as const) {
    it(`says why a lane that is ${state} cannot be merged`, () => {
      assert.deepEqual(whyNot(way('api')[state]()), [why]);
      assert.equal(view(alone, way('api')[state]()).lanes[0]?.mergeable, false);
    });
  }

  it('says what holds an agent back whose worktree is made, while it does', () => {
    const before = [...way('api').preparing(), api.created()];
    const why = (memoryIsShort: boolean) => view(alone, before, { memoryIsShort }).lanes[0]?.why_not;
    assert.deepEqual(why(true), ['waits for memory: too little is free for one more agent while others run']);
    assert.deepEqual(why(false), ['its agent is next to begin']);
    const making = view(alone, way('api').preparing(), { memoryIsShort: true });
    assert.deepEqual(making.lanes[0]?.why_not, ['its worktree is being made']);
    const running = view(alone, way('api').running(), { memoryIsShort: true });
    assert.deepEqual(running.lanes[0]?.why_not, ['its agent is at work']);
  });

  it('says of a lane whose merge was asked for that it waits, while somebody is there to merge it', () => {
    const lane = (before: RunEventBody[], more: Partial<ViewFacts>) => {
      const { mergeable, why_not } = view(alone, before, { mergeAsked: new Set(['api']), ...more }).lanes[0]!;
      return [mergeable, why_not];
    };
    const waits = ['its merge was asked for and waits its turn'];
    assert.deepEqual(lane(way('api').ready(), {}), [false, waits]);
    assert.deepEqual(lane(way('api').ready(), { mergeAsked: new Set(['web']) }), [true, []]);
    assert.deepEqual(lane(way('api').ready(), { owner: dead }), [true, []], 'nobody takes it up');
    assert.deepEqual(lane(way('api').merging(), {}), [false, ['it is being merged']]);
  });

  it('can be resumed while its owner is gone, or once lanes of it were broken off', () => {
    const resumable = (before: RunEventBody[], owner: ViewFacts['owner'] = alive) =>
      view(alone, before, { owner }).resumable;
    const ended = (outcome: 'failed' | 'stopped'): RunEventBody => ({ type: 'run.ended', outcome });
    assert.equal(resumable(way('api').running(), dead), true);
    assert.equal(resumable(way('api').running()), false);
    assert.equal(resumable([...way('api').interrupted(), ended('stopped')]), true);
    assert.equal(resumable([...way('api').failed(), ended('failed')]), false);
    assert.equal(resumable(way('api').interrupted()), false, 'it is under way still');
    const waits = plan([job('api'), job('web', { depends_on: ['api'] }), job('docs')]);
    const waiting = (...docs: RunEventBody[]) => view(waits, [...way('api').ready(), ...docs]).resumable;
    assert.equal(waiting(...way('docs').interrupted()), true, 'all else waits for a merge');
    assert.equal(waiting(...way('docs').failed()), false);
  });

  it('tells first of all that a folder is gone, and nothing of the kind while it is there', () => {
    const gone = new Set(['api']);
    const [lane] = view(alone, way('api').failed(), { gone }).lanes;
    assert.equal(lane?.folder_gone, true);
    assert.match(lane.warnings[0] ?? '', /^Its folder \/lanes\/api is gone.*ak lane retry api/);
    const [here] = view(alone, way('api').failed()).lanes;
    assert.deepEqual([here?.folder_gone, here?.warnings], [false, []]);
    const [unmade] = view(alone, way('api').queued(), { gone }).lanes;
    assert.deepEqual([unmade?.folder_gone, unmade?.warnings], [false, []]);
  });

  it('adds the reasons of a lane that needs a person', () => {
    assert.deepEqual(whyNot(way('api').failed()), ['it failed', 'the agent: failed']);
    assert.deepEqual(whyNot(way('api').blocked()), ['it is blocked', 'it cannot be made']);
  });

  it('tells what an agent waits for, and nothing of it once it goes on', () => {
    const [lane] = view(alone, way('api').waiting()).lanes;
    assert.deepEqual(lane?.why_not, [
      'its agent waits for somebody',
      'its agent asks for a permission: May it?',
    ]);
    assert.deepEqual(lane.waiting, {
      reason: 'permission',
      message: 'May it?',
      since: '2026-03-02T09:00:00.000Z',
    });
    for (const next of [api.continued(), api.ended()]) {
      const [after] = view(alone, [...way('api').waiting(), next]).lanes;
      assert.equal(after?.waiting, null, next.type);
      assert.doesNotMatch(after.why_not.join(), /waits|permission/);
    }
  });

  it('says since when an agent shows no sign of life, and nothing of it once it has ended', () => {
    const stalled = { api: '2026-03-02T09:05:00.000Z' };
    const [still] = view(alone, way('api').running(), { stalled }).lanes;
    assert.equal(still?.stalled_since, stalled.api);
    assert.deepEqual(still.why_not, [
      'its agent is at work',
      'its agent has said nothing and used no CPU since 2026-03-02T09:05:00.000Z',
    ]);
    const [ended] = view(alone, way('api').failed(), { stalled }).lanes;
    assert.deepEqual([ended?.stalled_since, ended?.why_not], [null, ['it failed', 'the agent: failed']]);
  });

  it('gives no reason for a lane that can be merged, but tells why it was not', () => {
    const [ready] = view(alone, way('api').ready()).lanes;
    assert.deepEqual([ready?.mergeable, ready?.why_not], [true, []]);
    const [refused] = view(alone, [...way('api').merging(), api.mergeRefused()]).lanes;
    assert.deepEqual([refused?.mergeable, refused?.why_not], [true, ['it conflicts.']]);
    assert.deepEqual(whyNot(way('api').merged()), []);
  });

  it('says what a lane in the queue waits for', () => {
    assert.deepEqual(whyNot(way('api').running(), chain), ['comes after api, which is running']);
    assert.deepEqual(whyNot(way('api').merged(), chain), ['waits for a free account']);
    const narrow = plan([job('api'), job('docs')], { concurrency: 1 });
    assert.deepEqual(whyNot(way('api').running(), narrow), [
      'waits for a free place: the plan allows 1 writer at once',
    ]);
    assert.deepEqual(whyNot(way('api').ready(), narrow), ['waits for a free account']);
  });

  it('shows what the agent does only while it runs', () => {
    const activity = { api: 'writing tests' };
    assert.equal(view(alone, way('api').running(), { activity }).lanes[0]?.activity, 'writing tests');
    assert.equal(view(alone, way('api').ready(), { activity }).lanes[0]?.activity, null);
  });

  it('shows both gates with their checks', () => {
    const [lane] = view(alone, way('api').merged()).lanes;
    assert.deepEqual([lane?.gate.status, lane?.gate.head], ['passed', 'api1']);
    assert.deepEqual([lane?.merge_gate.status, lane?.merge_gate.head], ['passed', 'c1']);
    assert.equal(lane?.gate.checks[0]?.message, null);
    assert.equal(view(alone, []).lanes[0]?.gate.status, 'none');
  });

  it('calls a lane by the first line of its prompt, at most 80 letters of it', () => {
    const titled = (prompt: string) => view(plan([job('api', { prompt })]), []).lanes[0]?.title;
    assert.equal(titled('\nWrite the API.\nIn detail …'), 'Write the API.');
    assert.equal(titled('x'.repeat(81)), `${'x'.repeat(79)}…`);
  });

  describe('a run whose owner is gone', () => {
    const status = (before: RunEventBody[], owner: RunView['owner'] = dead, made = alone) =>
      view(made, before, { owner }).status;

    it('is interrupted while there is something to do', () => {
      for (const state of ['queued', 'preparing', 'running', 'verifying', 'merging'] as const) {
        assert.equal(status(way('api')[state]()), 'interrupted', state);
        assert.equal(status(way('api')[state](), alive), 'running', state);
      }
      assert.equal(status(way('api').failed()), 'interrupted', 'its end was not written down');
      assert.equal(status([...way('api').running(), { type: 'run.stopping' }]), 'interrupted');
    });

    it('tells of a lane under way that its owner is gone, and nothing new of the others', () => {
      const running = view(alone, way('api').running(), { owner: dead });
      assert.deepEqual(running.lanes[0]?.why_not, ['its owner is gone; resume the run to go on']);
      const failed = view(alone, way('api').failed(), { owner: dead });
      assert.deepEqual(failed.lanes[0]?.why_not, ['it failed', 'the agent: failed']);
    });

    it('shows no lane at work in which nothing is alive any more', () => {
      const idle = new Set(['api']);
      for (const state of ['preparing', 'running', 'waiting', 'verifying', 'merging'] as const) {
        const [left] = view(alone, way('api')[state](), { owner: dead, idle, activity: { api: 'x' } }).lanes;
        assert.deepEqual([left?.state, left?.activity, left?.waiting], ['interrupted', null, null], state);
        assert.equal(left?.why_not[0], 'its owner is gone; resume the run to go on');
        assert.equal(view(alone, way('api')[state](), { owner: alive, idle }).lanes[0]?.state, state);
        assert.equal(view(alone, way('api')[state](), { owner: dead }).lanes[0]?.state, state);
      }
      assert.equal(view(alone, way('api').ready(), { owner: dead, idle }).lanes[0]?.state, 'ready');
    });

    it('is what it came to when it has ended', () => {
      const failed = [...way('api').failed(), { type: 'run.ended', outcome: 'failed' } as const];
      assert.equal(status(failed), 'failed');
    });

    it('is interrupted after its end too while a lane is worked on', () => {
      const done: RunEventBody = { type: 'run.ended', outcome: 'done' };
      const merging = [...way('api').ready(), done, story('api').mergePlanned()];
      assert.equal(status(merging), 'interrupted');
      assert.equal(status(merging, alive), 'done');
      assert.equal(status([...way('api').ready(), done]), 'done');
    });

    it('rests while all that is left comes after a lane that a person has yet to merge', () => {
      assert.equal(status(way('api').ready(), dead, chain), 'running');
      assert.equal(status(way('api').failed(), dead, chain), 'interrupted');
      assert.equal(status(way('api').merged(), dead, chain), 'interrupted');
    });

    it('is not told of one that never had an owner', () => {
      assert.equal(status([], null), 'running');
    });
  });
});
