import assert from 'node:assert/strict';
import { applyEvent, fold } from '../../../../src/core/run/fold.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { rescued, story, way } from './events.ts';
import { created, job, plan, stamped, stateAfter } from './samples.ts';

const made = plan([job('api')]);
const api = story('api');
const { queued, preparing, running, waiting, verifying, gated, ready, merging, mergeGated, merged, failed } =
  way('api');

const retried = () => [...failed(), api.reopened(), api.assigned()];
const reopened = () => [...ready(), api.reopened('verifying')];

interface Case {
  what: string;
  before: RunEventBody[];
  event: RunEventBody;
  /** The same event where it belongs. */
  twin: RunEventBody[];
}

const cases: Case[] = [
  { what: 'a second account', before: preparing(), event: api.assigned('demo/@two'), twin: queued() },
  { what: 'a worktree of a lane in the queue', before: queued(), event: api.created(), twin: preparing() },
  { what: 'a second agent', before: running(), event: api.started(2), twin: retried() },
  { what: 'an agent in the queue', before: queued(), event: api.started(), twin: preparing() },
  { what: 'an attempt out of order', before: preparing(), event: api.started(2), twin: retried() },
  {
    what: 'the end of an attempt that never began',
    before: preparing(),
    event: api.ended(),
    twin: running(),
  },
  {
    what: 'the end of another attempt',
    before: running(),
    event: api.ended('lost', 2),
    twin: [...retried(), api.started(2)],
  },
  { what: 'waiting after the end', before: verifying(), event: api.waiting(), twin: running() },
  { what: 'going on without waiting', before: running(), event: api.continued(), twin: waiting() },
  { what: 'work settled while the agent runs', before: running(), event: api.settled(), twin: verifying() },
  { what: 'a gate while the agent runs', before: running(), event: api.gateStarted(), twin: verifying() },
  { what: 'a second gate at once', before: gated(), event: api.gateStarted(2), twin: reopened() },
  {
    what: 'a merge gate without a merge',
    before: reopened(),
    event: api.mergeGateStarted(),
    twin: merging(),
  },
  { what: 'a lane gate in a merge', before: merging(), event: api.gateStarted(2), twin: reopened() },
  { what: 'a check of a gate that ended', before: ready(), event: api.checked('test'), twin: gated() },
  {
    what: 'a check of another gate',
    before: gated(),
    event: api.checked('test', 'passed', 2),
    twin: mergeGated(),
  },
  { what: 'the end of a gate twice', before: ready(), event: api.gateEnded(), twin: gated() },
  { what: 'a merge before the gate', before: gated(), event: api.mergePlanned(), twin: ready() },
  { what: 'a second merge at once', before: merging(), event: api.mergePlanned('m2'), twin: ready() },
  { what: 'a merge that was not planned', before: ready(), event: api.mergeApplied(), twin: merging() },
  { what: 'a stop of no merge', before: ready(), event: api.mergeStopping(), twin: merging() },
  { what: 'a second request for no merge', before: ready(), event: api.mergeJoined(), twin: merging() },
  { what: 'a refusal of no merge', before: running(), event: api.mergeRefused(), twin: merging() },
  {
    what: 'a rescue of a lane that was never made',
    before: preparing(),
    event: rescued('api'),
    twin: [...failed(), api.reopened(), api.assigned()],
  },
  { what: 'a block of a merged lane', before: merged(), event: api.blocked(), twin: running() },
  { what: 'a merged lane starting over', before: merged(), event: api.reopened(), twin: failed() },
  {
    what: 'a gate of a blocked lane that was never made',
    before: [api.blocked()],
    event: api.reopened('verifying'),
    twin: [...preparing(), api.created(), api.blocked()],
  },
];

describe('a journal that contradicts itself', () => {
  for (const { what, before, event, twin } of cases) {
    it(`is refused: ${what}`, () => {
      assert.throws(() => stateAfter(made, ...before, event), {
        name: 'AgentKitError',
        reason: 'invalid_input',
      });
      stateAfter(made, ...twin, event);
    });
  }

  it('is refused with a gap or a repetition in its numbers', () => {
    const [first, second, third] = stamped([created(['api']), ...running()]);
    assert.ok(first && second && third);
    assert.throws(() => fold(made, [first, third]), /at event 3: event 2 is missing/);
    assert.throws(() => fold(made, [first, second, second]), /at event 2: event 3 is missing/);
    assert.equal(fold(made, [first, second, third]).seq, 3);
  });

  it('is refused without its first event, or with two of them', () => {
    assert.throws(() => fold(made, []), /does not begin with run.created/);
    assert.throws(() => fold(made, stamped(running())), /does not begin with run.created/);
    assert.throws(() => stateAfter(made, created(['api'])), /run.created stands twice/);
  });

  it('is refused when it speaks of a lane that the run does not have', () => {
    const state = stateAfter(made);
    const [event] = stamped([story('docs').assigned()], 1);
    assert.ok(event);
    assert.throws(() => applyEvent(state, event), /there is no lane docs/);
  });
});
