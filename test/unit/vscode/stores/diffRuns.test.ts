import assert from 'node:assert/strict';
import { diffRuns } from '../../../../src/vscode/stores/diffRuns.ts';
import { sampleLane, sampleRun } from '../sampleRuns.ts';

describe('diffRuns', () => {
  const before = [sampleRun({ lanes: [sampleLane(), sampleLane({ lane: 'ui' })] })];

  it('finds nothing in an equal reading', () => {
    assert.equal(diffRuns(before, structuredClone(before)), undefined);
  });

  it('finds nothing when only the number of the last event differs', () => {
    const after = [{ ...before[0]!, seq: 10, updated_at: '2026-03-02T12:00:00Z' }];
    assert.equal(diffRuns(before, after), undefined);
  });

  it('names the one lane that has a new line of activity, and not its run', () => {
    const after = [sampleRun({ lanes: [sampleLane({ activity: 'Testing' }), sampleLane({ lane: 'ui' })] })];
    assert.deepEqual(diffRuns(before, after), {
      structure: false,
      runs: new Set(),
      lanes: new Set(['run-1 api']),
    });
  });

  it('names the run too when a lane changes its state, for the run counts them', () => {
    const after = [sampleRun({ lanes: [sampleLane({ state: 'failed' }), sampleLane({ lane: 'ui' })] })];
    assert.deepEqual(diffRuns(before, after)?.runs, new Set(['run-1']));
  });

  it('sees runs and lanes that come, go or move', () => {
    assert.equal(diffRuns([], before)?.structure, true);
    assert.equal(diffRuns(before, [])?.structure, true);
    const swapped = [sampleRun({ lanes: before[0]!.lanes.toReversed() })];
    assert.equal(diffRuns(before, swapped)?.structure, true);
  });
});
