import assert from 'node:assert/strict';
import { laneCommandIds } from '../../../../src/ids.ts';
import type { LaneView } from '../../../../src/core/lanes/laneView.ts';
import { laneStates } from '../../../../src/core/lanes/laneState.ts';
import { laneActions } from '../../../../src/vscode/board/laneActions.ts';
import { makeLane, makeWorkedLane } from './views.ts';

const offered = (lane: LaneView): string[] => laneActions(lane).map(({ id }) => id);

describe('laneActions', () => {
  it('offers only verbs of contributed commands', () => {
    const commands = new Set<string>(laneCommandIds);
    for (const state of laneStates) {
      for (const id of offered(makeWorkedLane({ state, mergeable: true }))) {
        assert.ok(commands.has(`agentkit.lane.${id}`), id);
      }
    }
  });

  it('puts Review and Merge first on a lane that may be merged, and leaves it out on others', () => {
    assert.equal(offered(makeWorkedLane({ state: 'ready', mergeable: true }))[0], 'merge');
    assert.ok(!offered(makeWorkedLane({ state: 'ready' })).includes('merge'));
  });

  it('stops what works and retries what failed', () => {
    assert.ok(offered(makeWorkedLane({ state: 'running' })).includes('stop'));
    assert.ok(!offered(makeWorkedLane({ state: 'running' })).includes('retry'));
    assert.ok(offered(makeWorkedLane({ state: 'failed' })).includes('retry'));
    assert.ok(!offered(makeWorkedLane({ state: 'failed' })).includes('stop'));
  });

  it('offers nothing of a worktree that is not there', () => {
    assert.deepEqual(offered(makeLane()), []);
    assert.ok(offered(makeWorkedLane({ state: 'merged' })).includes('openWorktree'));
  });
});
