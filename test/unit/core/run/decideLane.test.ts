import assert from 'node:assert/strict';
import type { Action } from '../../../../src/core/run/action.ts';
import { decideLane, failingChecks } from '../../../../src/core/run/decideLane.ts';
import type { Facts, StepFact } from '../../../../src/core/run/facts.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { attemptFolder, checkFolder } from '../../../../src/core/run/stepFolders.ts';
import { story, way } from './events.ts';
import { facts, job, laneOf, plan, stateAfter } from './samples.ts';

const made = plan([job('api')]);
const api = story('api');
const agent = attemptFolder('api', 1);
const test = checkFolder('api', 1, 'test');
const stopping: RunEventBody = { type: 'run.stopping' };

function decided(before: RunEventBody[], more: Partial<Facts> = {}): Action[] {
  const state = stateAfter(made, ...before);
  return decideLane(state, laneOf(state, 'api'), facts(more));
}

function step(folder: string, state: StepFact['state'], asked = false): Partial<Facts> {
  return { steps: { [folder]: { state, stopping: asked } } };
}

function names(actions: readonly Action[]): string[] {
  return actions.flatMap((action) =>
    action.do === 'append' ? action.events.map(({ type }) => type) : [action.do],
  );
}

describe('decideLane', () => {
  it('makes the worktree, then begins the attempt', () => {
    assert.deepEqual(names(decided(way('api').preparing())), ['createLane']);
    assert.deepEqual(names(decided([...way('api').preparing(), api.created()])), ['startAttempt']);
  });

  it('begins nothing for an owner that came for one request', () => {
    assert.deepEqual(decided(way('api').preparing(), { startNew: false }), []);
  });

  it('blocks what had not begun when the run is stopped', () => {
    assert.deepEqual(names(decided([...way('api').preparing(), stopping])), ['lane.blocked']);
  });

  for (const [state, expected] of [
    ['absent', ['launchStep']],
    ['starting', []],
    ['running', []],
    ['ended', ['collectAttempt']],
    ['lost', ['collectAttempt']],
  ] as const) {
    it(`does ${expected[0] ?? 'nothing'} about an agent that is ${state}`, () => {
      assert.deepEqual(names(decided(way('api').running(), step(agent, state))), expected);
    });
  }

  it('stops the agent once when the run is stopped', () => {
    const before = [...way('api').running(), stopping];
    assert.deepEqual(names(decided(before, step(agent, 'running'))), ['stopStep']);
    assert.deepEqual(decided(before, step(agent, 'running', true)), []);
  });

  describe('an agent that waits for a person', () => {
    const waiting = { reason: 'permission', message: 'May it?', since: '2026-03-02T09:00:00.000Z' } as const;
    const asking = (change: object = {}): Partial<Facts> => ({
      steps: { [agent]: { state: 'running', stopping: false, waiting: { ...waiting, ...change } } },
    });

    it('is told once, and again only when it waits for something else', () => {
      const [told] = decided(way('api').running(), asking());
      assert.deepEqual(told, { do: 'append', key: 'api', events: [api.waiting()] });
      assert.deepEqual(decided(way('api').waiting(), asking()), []);
      assert.deepEqual(names(decided(way('api').waiting(), asking({ message: 'And this?' }))), [
        'lane.waiting',
      ]);
    });

    it('goes on when it does', () => {
      assert.deepEqual(names(decided(way('api').waiting(), step(agent, 'running'))), ['lane.continued']);
      assert.deepEqual(decided(way('api').running(), step(agent, 'running')), []);
    });

    it('is collected and stopped like one at work', () => {
      assert.deepEqual(names(decided(way('api').waiting(), step(agent, 'ended'))), ['collectAttempt']);
      assert.deepEqual(names(decided([...way('api').waiting(), stopping], asking())), ['stopStep']);
    });
  });

  it('knows nothing to do about a process that it was told nothing of', () => {
    assert.deepEqual(decided(way('api').running()), []);
  });

  it('settles what the agent left before the gate begins', () => {
    assert.deepEqual(names(decided(way('api').verifying())), ['settle']);
    assert.deepEqual(names(decided([...way('api').verifying(), api.settled()])), ['startGate']);
  });

  it('runs the checks one after another and ends the gate after the last', () => {
    assert.deepEqual(decided(way('api').gated(), step(test, 'absent')), [
      { do: 'launchStep', lane: 'api', folder: test },
    ]);
    assert.deepEqual(names(decided(way('api').gated(), step(test, 'ended'))), ['collectCheck']);
    const lint = checkFolder('api', 1, 'lint');
    const tested = [...way('api').gated(), api.checked('test', 'failed')];
    assert.deepEqual(decided(tested, step(lint, 'absent')), [
      { do: 'launchStep', lane: 'api', folder: lint },
    ]);
    assert.deepEqual(names(decided([...tested, api.checked('lint')])), ['endGate']);
  });

  it('runs no more checks after one that was interrupted', () => {
    const before = [...way('api').gated(), api.checked('test', 'interrupted')];
    assert.deepEqual(names(decided(before, step(checkFolder('api', 1, 'lint'), 'absent'))), ['endGate']);
  });

  describe('in a merge', () => {
    const gateEnded = (status: 'passed' | 'failed' | 'timeout' | 'interrupted') => [
      ...way('api').mergeGated(),
      api.checked('test', status, 2),
      api.gateEnded(status, 2),
    ];

    it('runs the gate on the merged tree before anything is moved', () => {
      assert.deepEqual(decided(way('api').merging()), [{ do: 'startGate', lane: 'api', subject: 'merge' }]);
      const folder = checkFolder('api', 2, 'test');
      assert.deepEqual(names(decided(way('api').mergeGated(), step(folder, 'absent'))), ['launchStep']);
    });

    it('moves the target only when that gate passed', () => {
      assert.deepEqual(names(decided(gateEnded('passed'))), ['applyMerge']);
      for (const status of ['failed', 'timeout', 'interrupted'] as const)
        assert.deepEqual(names(decided(gateEnded(status))), ['merge.refused']);
    });

    it('never moves the target once it was asked to stop', () => {
      assert.deepEqual(names(decided([...gateEnded('passed'), api.mergeStopping()])), ['stopMerge']);
      assert.deepEqual(names(decided([...gateEnded('passed'), stopping])), ['stopMerge']);
      const gated = [...way('api').mergeGated(), api.mergeStopping()];
      const folder = checkFolder('api', 2, 'test');
      assert.deepEqual(names(decided(gated, step(folder, 'absent'))), ['stopMerge']);
      assert.deepEqual(names(decided(gated, step(folder, 'running'))), ['stopStep']);
      assert.deepEqual(decided(gated, step(folder, 'running', true)), []);
      assert.deepEqual(names(decided(gated, step(folder, 'ended'))), ['collectCheck']);
      const checked = [...gated, api.checked('test', 'passed', 2)];
      assert.deepEqual(names(decided(checked, step(checkFolder('api', 2, 'lint'), 'absent'))), ['stopMerge']);
    });

    it('says which check refused the merge, and why', () => {
      const [action] = decided(gateEnded('failed'));
      assert.ok(action?.do === 'append' && action.events[0]?.type === 'merge.refused');
      assert.deepEqual(action.events[0].reasons, ['The gate failed on the merged tree: test (exit 1).']);
      assert.equal(action.events[0].request, 'm1');
    });

    it('waits while another run merges into the target', () => {
      assert.deepEqual(decided(way('api').merging(), { mayMerge: false }), []);
      assert.deepEqual(decided(gateEnded('passed'), { mayMerge: false }), []);
    });
  });

  for (const [state, before] of Object.entries({
    queued: way('api').queued(),
    ready: way('api').ready(),
    merged: way('api').merged(),
    failed: way('api').failed(),
    interrupted: way('api').interrupted(),
    blocked: way('api').blocked(),
  })) {
    it(`leaves a lane alone that is ${state}`, () => assert.deepEqual(decided(before), []));
  }
});

describe('failingChecks', () => {
  it('names every check that did not pass, or why there is none', () => {
    const gate = { n: 1, subject: 'lane', status: 'failed', head: 'h', checks: [] } as const;
    assert.equal(failingChecks({ ...gate, checks: [] }), 'no check ran');
    assert.equal(failingChecks({ ...gate, checks: [], message: 'the lane moved' }), 'the lane moved');
    const failed = laneOf(
      stateAfter(made, ...way('api').gated(), api.checked('test', 'failed'), api.checked('lint')),
      'api',
    ).gate;
    assert.ok(failed);
    assert.equal(failingChecks(failed), 'test (exit 1)');
    const finding = { file: 'a.mjs', line: 1, column: 1, severity: 'error', message: 'm' } as const;
    const found = failed.checks.map((check) => ({ ...check, findings: [finding], more_findings: 1 }));
    assert.equal(failingChecks({ ...failed, checks: found }), 'test (2 findings)');
  });
});
