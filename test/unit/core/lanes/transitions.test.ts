import assert from 'node:assert/strict';
import { laneStates, type LaneState } from '../../../../src/core/lanes/laneState.ts';
import { mayFollow, transitions } from '../../../../src/core/lanes/transitions.ts';

describe('transitions of a lane', () => {
  const reachable = (from: LaneState): Set<LaneState> => {
    const found = new Set<LaneState>([from]);
    for (const state of found) for (const next of transitions[state]) found.add(next);
    return found;
  };

  it('lead from the queue to every state', () => {
    assert.deepEqual([...reachable('queued')].sort(), [...laneStates].sort());
  });

  it('end with merged and dropped, and nowhere else', () => {
    const ends = laneStates.filter((state) => transitions[state].length === 0);
    assert.deepEqual(ends, ['merged', 'dropped']);
  });

  it('lead to a merge only over a gate', () => {
    const withoutGate = new Set<LaneState>(['queued']);
    for (const state of withoutGate)
      for (const next of transitions[state]) if (next !== 'verifying') withoutGate.add(next);
    assert.ok(!withoutGate.has('merged'));
    assert.ok(
      mayFollow('verifying', 'ready') && mayFollow('ready', 'merging') && mayFollow('merging', 'merged'),
    );
  });

  it('let a lane start over that failed, was interrupted or is blocked, or go on that is ready', () => {
    for (const state of ['failed', 'interrupted', 'blocked', 'ready'] as const)
      assert.ok(mayFollow(state, 'queued'), state);
    for (const state of ['merged', 'dropped'] as const) assert.ok(!mayFollow(state, 'queued'), state);
  });
});
