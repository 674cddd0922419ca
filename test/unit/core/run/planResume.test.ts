import assert from 'node:assert/strict';
import { planResume } from '../../../../src/core/run/planResume.ts';
import type { Job } from '../../../../src/core/plan/plan.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story, way } from './events.ts';
import { job, plan, stateAfter } from './samples.ts';

const api = story('api');
const stopped = (lane: string): RunEventBody => ({
  type: 'lane.blocked',
  lane,
  message: 'The run was stopped before it began.',
  deferred: true,
});
const setupEnded = (outcome: 'failed' | 'timeout' | 'stopped' | 'lost'): RunEventBody[] => [
  ...way('api').preparing(),
  api.created(),
  { type: 'setup.started', lane: 'api', setup: 1 },
  { type: 'setup.ended', lane: 'api', setup: 1, command: 0, outcome, message: `the setup: ${outcome}` },
];

function planned(
  before: RunEventBody[],
  { broken = [], gone = [], jobs = [job('api')] }: { broken?: string[]; gone?: string[]; jobs?: Job[] } = {},
): string[] {
  const settings = { copy: [], link: [], setup: ['npm ci'], setup_timeout: 60, teardown: [], ports: {} };
  const state = stateAfter(plan(jobs, { worktree: settings }), ...before);
  const wishes = planResume(state, { broken: new Set(broken), gone: new Set(gone) });
  assert.ok(wishes.every(({ resumed }) => resumed));
  return wishes.map((each) => `${each.do} ${each.lane}`);
}

describe('planResume', () => {
  it('has an agent begin where one was stopped or lost, or was stopped before it began', () => {
    assert.deepEqual(planned(way('api').interrupted()), ['retry api']);
    assert.deepEqual(planned([...way('api').running(), api.ended('stopped')]), ['retry api']);
    assert.deepEqual(planned([stopped('api')]), ['retry api']);
    assert.deepEqual(planned([api.blocked('its hook failed')]), []);
  });

  it('runs the gate again where that was broken off, without another agent', () => {
    const gated = [...way('api').gated(), api.checked('test', 'interrupted'), api.gateEnded('interrupted')];
    assert.deepEqual(planned(gated), ['gate api']);
    assert.deepEqual(
      planned([...way('api').gated(), api.checked('test', 'failed'), api.gateEnded('failed')]),
      [],
    );
    const again = [...gated, api.reopened(), ...way('api').preparing(), api.started(2), api.ended('lost', 2)];
    assert.deepEqual(planned(again), ['retry api'], 'it is the newest end that counts');
  });

  it('sets up again where a setup was stopped or lost, not where it failed', () => {
    assert.deepEqual(planned(setupEnded('lost')), ['retry api']);
    assert.deepEqual(planned(setupEnded('stopped')), ['retry api']);
    assert.deepEqual(planned(setupEnded('failed')), []);
    assert.deepEqual(planned(setupEnded('timeout')), []);
    const later = [...setupEnded('lost'), api.reopened(), api.blocked('its hook failed')];
    assert.deepEqual(planned(later), [], 'it was tried again since');
  });

  it('counts what died and is not in the journal yet', () => {
    for (const [before, found] of [
      [way('api').preparing(), 'retry api'],
      [way('api').running(), 'retry api'],
      [way('api').waiting(), 'retry api'],
      [way('api').gated(), 'gate api'],
    ] as const) {
      assert.deepEqual(planned(before, { broken: ['api'] }), [found]);
      assert.deepEqual(planned(before), []);
    }
    assert.deepEqual(planned(way('api').mergeGated(), { broken: ['api'] }), [], 'a merge is asked for anew');
  });

  it('leaves what has come to an end of its own', () => {
    for (const before of [way('api').ready(), way('api').failed(), way('api').merged()])
      assert.deepEqual(planned(before), []);
  });

  it('has the folder made again where that is gone, whatever is missing besides', () => {
    const gated = [...way('api').gated(), api.checked('test', 'interrupted'), api.gateEnded('interrupted')];
    assert.deepEqual(planned(gated, { gone: ['api'] }), ['retry api']);
    assert.deepEqual(planned(way('api').ready(), { gone: ['api'] }), []);
  });

  it('leaves out what comes after a lane that does not go on yet, and follows it by itself', () => {
    const jobs = [job('web', { depends_on: ['api'] }), job('api')];
    assert.deepEqual(planned([...way('api').interrupted(), stopped('web')], { jobs }), ['retry api']);
    assert.deepEqual(planned([...way('api').running(), stopped('web')], { jobs, broken: ['api'] }), [
      'retry api',
    ]);
    assert.deepEqual(planned([...way('api').failed(), stopped('web')], { jobs }), []);
    assert.deepEqual(planned([...way('api').ready(), stopped('web')], { jobs }), ['retry web']);
  });
});
