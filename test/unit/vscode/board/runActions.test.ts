import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/core/lanes/laneView.ts';
import { runActions } from '../../../../src/vscode/board/runActions.ts';
import { sampleRun } from '../sampleRuns.ts';

const actions = (status: RunView['status'], resumable = false) =>
  runActions(sampleRun({ status, resumable })).map(({ id }) => id);

describe('runActions', () => {
  it('stops what runs, once', () => {
    assert.deepEqual(actions('running'), ['stop']);
    assert.deepEqual(actions('running', true), ['resume', 'stop'], 'what is left waits for a merge');
    assert.deepEqual(actions('stopping'), []);
  });

  it('offers Resume wherever that goes on with something, and the report of what has ended', () => {
    for (const status of ['interrupted', 'failed', 'stopped', 'done'] as const) {
      assert.deepEqual(actions(status, true), ['resume', 'showReport']);
      assert.deepEqual(actions(status), ['showReport']);
    }
  });
});
