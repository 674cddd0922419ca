import assert from 'node:assert/strict';
import { decideLane } from '../../../../src/core/run/decideLane.ts';
import type { StepFact } from '../../../../src/core/run/facts.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { setupFolder } from '../../../../src/core/run/stepFolders.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { story, way } from './events.ts';
import { facts, job, laneOf, plan, stateAfter } from './samples.ts';

const worktree = {
  copy: [],
  link: [],
  setup: ['npm ci', 'npm run build'],
  teardown: [],
  ports: {},
  setup_timeout: 60,
};
const made = plan([job('api')], { worktree });
const api = story('api');

const started = (setup: number): RunEventBody => ({ type: 'setup.started', lane: 'api', setup });
const ended = (
  command: number,
  outcome: 'succeeded' | 'failed' | 'stopped' = 'succeeded',
  setup = 2,
): RunEventBody => ({
  type: 'setup.ended',
  lane: 'api',
  setup,
  command,
  outcome,
  ...(outcome !== 'succeeded' && { message: 'setup `npm ci` failed' }),
});

/** Its own worktree was set up before its agent. */
const ready = [
  api.assigned(),
  api.created(),
  started(1),
  ended(0, 'succeeded', 1),
  ended(1, 'succeeded', 1),
  ...way('api').ready().slice(2),
];
const merging = [...ready, api.mergePlanned()];
const setUp = [...merging, started(2)];
const again = [...setUp, ended(0, 'failed'), api.mergeRefused(), api.mergePlanned('m2')];

function decided(before: RunEventBody[], command?: number, state: StepFact['state'] = 'absent'): unknown[] {
  const steps = command === undefined ? {} : { [setupFolder('api', 2, command)]: { state, stopping: false } };
  const after = stateAfter(made, ...before);
  return decideLane(after, laneOf(after, 'api'), facts({ steps })).flatMap((action): unknown[] =>
    action.do === 'append' ? action.events : [action.do],
  );
}

describe('the setup of a merged tree', () => {
  it('runs every command, one after another, before the gate', () => {
    assert.deepEqual(decided(merging), ['startSetup']);
    assert.deepEqual(decided(setUp, 0), ['launchStep']);
    assert.deepEqual(decided(setUp, 0, 'running'), []);
    assert.deepEqual(decided(setUp, 0, 'ended'), ['collectSetup']);
    assert.deepEqual(decided([...setUp, ended(0)], 1), ['launchStep']);
    assert.deepEqual(decided([...setUp, ended(0), ended(1)]), ['startGate']);
  });

  it('waits for its turn, as the worktree is one for all merges', () => {
    const state = stateAfter(made, ...merging);
    assert.deepEqual(decideLane(state, laneOf(state, 'api'), facts({ mayMerge: false })), []);
  });

  it('is told while it runs', () => {
    const whyNot = (...events: RunEventBody[]) =>
      toRunView(stateAfter(made, ...events), { folder: '/run', owner: null, activity: {} }).lanes[0]?.why_not;
    assert.deepEqual(whyNot(...setUp), ['it is being merged: the merged tree is set up']);
    assert.deepEqual(whyNot(...setUp, ended(0), ended(1)), ['it is being merged']);
  });

  it('refuses the merge when a command fails, and is begun again for the next', () => {
    const failed = [...setUp, ended(0, 'failed')];
    const reasons = ['The merged tree could not be set up: setup `npm ci` failed'];
    const refused = { type: 'merge.refused', lane: 'api', request: 'm1', reasons } as const;
    assert.deepEqual(decided(failed), [refused]);
    assert.deepEqual(decided(again), ['startSetup']);
    const lane = laneOf(stateAfter(made, ...again, started(3)), 'api');
    assert.deepEqual(lane.merge?.setup, { n: 3, done: 0, status: 'running' });
    assert.equal(lane.setup?.done, 2, 'what the lane was given is forgotten');
  });

  it('is stopped with the merge, which is given up then', () => {
    const stopping = [...setUp, api.mergeStopping()];
    assert.deepEqual(decided(stopping, 0, 'running'), ['stopStep']);
    assert.deepEqual(decided(stopping, 0, 'ended'), ['collectSetup']);
    assert.deepEqual(decided([...stopping, ended(0, 'stopped')]), ['stopMerge']);
    assert.deepEqual(decided(stopping, 0, 'absent'), ['stopMerge']);
  });

  for (const [what, before, event, twin] of [
    ['twice for one merge', setUp, started(3), again],
    ['after the gate began', [...merging, api.mergeGateStarted()], started(2), merging],
    ['of a lane that is ready', ready, started(2), merging],
    ['to its end, which never began', merging, ended(0), setUp],
    ['to the end of the lane’s own', setUp, ended(0, 'succeeded', 1), [...ready.slice(0, 3)]],
  ] as const)
    it(`contradicts the journal: ${what}`, () => {
      assert.throws(() => stateAfter(made, ...before, event), { reason: 'invalid_input' });
      stateAfter(made, ...twin, event);
    });
});
