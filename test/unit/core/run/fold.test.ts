import assert from 'node:assert/strict';
import { applyEvent, fold } from '../../../../src/core/run/fold.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import type { RunState } from '../../../../src/core/run/runState.ts';
import { rescued, story, way } from './events.ts';
import { created, job, laneOf, plan, stamped, stateAfter } from './samples.ts';

const made = plan([job('api')]);
const api = story('api');

function after(...bodies: RunEventBody[]): RunState {
  return stateAfter(made, ...bodies);
}

function laneAfter(...bodies: RunEventBody[]) {
  return laneOf(after(...bodies), 'api');
}

describe('fold', () => {
  it('begins with every job in the queue, under the lane ids of the first event', () => {
    const state = fold(plan([job('api'), job('docs')]), stamped([created(['r1/api', 'docs'])]));
    assert.deepEqual(
      state.lanes.map(({ id, state: each }) => [id, each]),
      [
        ['r1/api', 'queued'],
        ['docs', 'queued'],
      ],
    );
    assert.equal(state.status, 'running');
    assert.equal(state.seq, 1);
  });

  it('has agents ask from the event on that says so, and keeps the rest of the plan', () => {
    assert.equal(after().plan.permissions, undefined);
    assert.deepEqual(after({ type: 'run.asks' }).plan, { ...made, permissions: 'ask' });
    assert.equal(made.permissions, undefined);
  });

  it('follows a lane all the way to its merge', () => {
    const lane = laneAfter(...way('api').merged());
    assert.equal(lane.state, 'merged');
    assert.equal(lane.attempts[0]?.outcome, 'succeeded');
    assert.deepEqual(
      lane.gate?.checks.map(({ name }) => name),
      ['test', 'lint'],
    );
    assert.equal(lane.gate?.head, 'api1');
    assert.equal(lane.mergeGate?.head, 'c1');
    assert.equal(lane.merge?.status, 'applied');
    assert.equal(after(...way('api').merged()).target.sha, 'c1');
  });

  it('knows a worktree only once it was made', () => {
    const preparing = laneAfter(api.assigned());
    assert.equal(preparing.worktree, undefined);
    assert.equal(preparing.intended?.branch, 'lane/api');
    const lane = laneAfter(api.assigned(), api.created());
    assert.equal(lane.worktree?.branch, 'lane/api');
    assert.equal(lane.prepared, true);
    assert.equal(lane.head, 't0');
  });

  it('takes the time of entering a state from the event that entered it', () => {
    assert.equal(laneAfter(api.assigned()).since, '2026-03-02T10:00:02.000Z');
    assert.equal(laneAfter(api.assigned(), api.created()).since, '2026-03-02T10:00:02.000Z');
  });

  for (const [outcome, state] of [
    ['succeeded', 'verifying'],
    ['failed', 'failed'],
    ['timeout', 'failed'],
    ['stopped', 'interrupted'],
    ['lost', 'interrupted'],
  ] as const) {
    it(`makes a lane ${state} whose attempt ended as ${outcome}`, () => {
      const lane = laneAfter(...way('api').running(), api.ended(outcome));
      assert.equal(lane.state, state);
      assert.equal(lane.attempts[0]?.outcome, outcome);
      assert.deepEqual(lane.reasons, outcome === 'succeeded' ? [] : [`the agent: ${outcome}`]);
    });
  }

  it('tells the limit that an attempt ran into, unless it succeeded', () => {
    const limit = { window: '5h', resets_at: '2026-03-02T15:00:00.000Z' };
    const failed = laneAfter(...way('api').running(), { ...api.ended('failed'), limit } as RunEventBody);
    assert.deepEqual(failed.reasons, [
      'the 5h limit of demo/@one is reached; resets at 2026-03-02T15:00:00.000Z',
      'the agent: failed',
    ]);
    const succeeded = laneAfter(...way('api').running(), { ...api.ended(), limit } as RunEventBody);
    assert.deepEqual(succeeded.reasons, []);
  });

  it('fails a lane whose work was refused when it was settled', () => {
    assert.equal(laneAfter(...way('api').verifying(), api.settled()).state, 'verifying');
    const refused = laneAfter(...way('api').verifying(), api.settled('It wrote outside its paths.'));
    assert.equal(refused.state, 'failed');
    assert.deepEqual(refused.reasons, ['It wrote outside its paths.']);
  });

  for (const [status, state] of [
    ['passed', 'ready'],
    ['failed', 'failed'],
    ['timeout', 'failed'],
    ['interrupted', 'interrupted'],
  ] as const) {
    it(`makes a lane ${state} whose gate ended as ${status}`, () => {
      const lane = laneAfter(...way('api').gated(), api.gateEnded(status));
      assert.equal(lane.state, state);
      assert.equal(lane.gate?.status, status);
    });
  }

  it('forgets the gate of an earlier merge when the next is planned', () => {
    const refused = [...way('api').mergeGated(), api.gateEnded('failed', 2), api.mergeRefused('m1')];
    assert.equal(laneAfter(...refused).state, 'ready');
    const again = laneAfter(...refused, api.mergePlanned('m2'));
    assert.equal(again.mergeGate, undefined);
    assert.equal(again.merge?.request, 'm2');
    assert.equal(again.gate?.status, 'passed');
  });

  it('keeps the branch but not the gate of a lane that starts over', () => {
    const lane = laneAfter(...way('api').ready(), api.reopened('verifying'));
    assert.equal(lane.gate, undefined);
    assert.equal(lane.settled, false);
    assert.equal(lane.worktree?.branch, 'lane/api');
  });

  it('shows what a lane that was given up left open as broken off', () => {
    const agent = laneAfter(...way('api').running(), api.blocked());
    assert.equal(agent.attempts[0]?.outcome, 'lost');
    const gate = laneAfter(...way('api').gated(), api.blocked());
    assert.equal(gate.gate?.status, 'interrupted');
    const merge = laneAfter(...way('api').mergeGated(), api.mergeRefused());
    assert.equal(merge.mergeGate?.status, 'interrupted');
    assert.equal(merge.gate?.status, 'passed');
  });

  it('tells who owns the run, how it ended, and who moved the target', () => {
    const owner = { pid: 7, started: 's', boot: 'b', head: 'ak' as const };
    const state = after(
      { type: 'owner', owner, fence: 1 },
      { type: 'tail.torn', bytes: 3 },
      { type: 'target.moved', target: 'main', from: 't0', to: 't1' },
      { type: 'run.stopping' },
      { type: 'run.ended', outcome: 'stopped' },
    );
    assert.deepEqual(state.owner, owner);
    assert.equal(state.fence, 1);
    assert.equal(state.target.sha, 't1');
    assert.deepEqual(
      state.targetMoves.map(({ from, to }) => [from, to]),
      [['t0', 't1']],
    );
    assert.equal(state.status, 'stopped');
    assert.equal(state.seq, 6);
  });

  it('keeps the answer to each request', () => {
    const state = after({
      type: 'request.answered',
      request: 'q1',
      ok: false,
      reason: 'refused',
      message: 'no',
    });
    assert.equal(state.answers['q1']?.message, 'no');
  });

  it('begins an ended run again with a lane that is reopened, but forgets no stop', () => {
    const failed = [...way('api').failed(), { type: 'run.ended', outcome: 'failed' } as const];
    assert.equal(after(...failed).status, 'failed');
    assert.equal(after(...failed, api.reopened()).status, 'running');
    assert.equal(after(...failed, { type: 'run.resumed' }).status, 'running');
    assert.equal(after(api.assigned(), { type: 'run.stopping' }, api.reopened()).status, 'stopping');
  });

  it('takes a lane that the target has already for merged, and the target as it stands', () => {
    const state = after(...way('api').ready(), api.mergeApplied('t5', 't5'));
    assert.deepEqual([laneOf(state, 'api').state, state.target.sha], ['merged', 't5']);
    assert.throws(() => after(...way('api').ready(), api.mergeApplied('t5', 't6')), /not planned/);
  });

  it('warns of processes that left their tree, of an attempt and of a check, across a retry', () => {
    const stray = (event: RunEventBody): RunEventBody => ({ ...event, strays: [7, 8] }) as RunEventBody;
    const failed = [...way('api').running(), stray(api.ended('failed'))];
    const retried = after(...failed, api.reopened(), api.assigned(), api.created());
    assert.match(laneOf(retried, 'api').warnings.join(), /Processes 7, 8 of attempt 1/);
    const gated = after(...way('api').gated(), stray(api.checked('test')));
    assert.match(laneOf(gated, 'api').warnings.join(), /Processes 7, 8 of check test/);
    assert.deepEqual(laneOf(after(...way('api').ready()), 'api').warnings, []);
  });

  it('knows what the newest gate left, until the next one begins', () => {
    const left = [{ path: 'out.txt', sha: 's1' }];
    const gated = [...way('api').gated(), api.checked('test'), { ...api.gateEnded(), left } as RunEventBody];
    assert.deepEqual(laneOf(after(...gated), 'api').leftByGate, [{ path: 'out.txt', sha: 's1', gate: 1 }]);
    const again = [api.reopened('verifying'), api.settled(), api.gateStarted(2)];
    assert.deepEqual(laneOf(after(...gated, ...again), 'api').leftByGate, []);
  });

  it('changes nothing of the state that it is given', () => {
    const events = stamped([created(['api']), ...way('api').merged()]);
    let state = fold(made, events.slice(0, 1));
    for (const event of events.slice(1)) {
      const before = structuredClone(state);
      const next = applyEvent(state, event);
      assert.deepEqual(state, before, event.type);
      state = next;
    }
  });

  it('gives a lane by hand the name of a closed one, but no folder or rescue of that one anew', () => {
    const own = { gate: plan([]).gate };
    const worktree = { branch: 'lane/api', path: '/lanes/api-2', base: 't0', nonce: 'n2' };
    const added: RunEventBody = { type: 'lane.added', lane: 'api', job: job('api'), own, worktree };
    const begun: RunEventBody[] = [{ ...created([]), standing: true }, added];
    const closing: RunEventBody = { type: 'lane.closing', lane: 'api', why: 'discard' };
    const removed: RunEventBody = { type: 'lane.removed', lane: 'api', branch: 'deleted', left: [] };
    const opened: RunEventBody = { type: 'lane.opened', lane: 'api' };
    const gated = [api.created(), opened, api.reopened('verifying'), api.settled(), api.gateStarted()];
    const failed = [...gated, api.checked('test', 'failed'), api.gateEnded('failed')];
    const after = (...events: RunEventBody[]) =>
      laneOf(fold(plan([]), stamped([...begun, ...events])), 'api');
    const again = after(...failed, closing, rescued('api'), removed, added);
    assert.deepEqual([again.state, again.gates, again.gate, again.byHand], ['preparing', 1, undefined, true]);
    assert.equal(again.rescues.length, 1);
    assert.throws(() => after(...failed, added), /there is a lane api already/);
    assert.throws(() => stateAfter(plan([]), added), /standing run only/);
  });
});
