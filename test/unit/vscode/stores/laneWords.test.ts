import assert from 'node:assert/strict';
import { laneStates, type LaneState } from '../../../../src/core/lanes/laneState.ts';
import { laneWords } from '../../../../src/vscode/stores/laneWords.ts';
import { sampleLane } from '../sampleRuns.ts';

const statesWith = (
  word: 'stoppable' | 'gateable' | 'retryable' | 'discardable' | 'tellable',
  path: string | null = '/lanes/api',
) => laneStates.filter((state) => laneWords(sampleLane({ state, path })).includes(word));

describe('laneWords', () => {
  it('offers Stop while something goes on that can be stopped, a merge too', () => {
    assert.deepEqual(statesWith('stoppable'), ['preparing', 'running', 'waiting', 'verifying', 'merging']);
  });

  it('offers the gate when no agent is at work and there is something to check', () => {
    assert.deepEqual(statesWith('gateable'), ['open', 'failed', 'ready', 'interrupted', 'blocked']);
    assert.deepEqual(statesWith('gateable', null), []);
  });

  it('offers to discard what is at rest and not over, once', () => {
    const at = ['queued', 'open', 'passed', 'failed', 'ready', 'interrupted', 'blocked'];
    assert.deepEqual(statesWith('discardable'), at);
    const closing = sampleLane({ state: 'ready', closing: 'discard' });
    assert.ok(!laneWords(closing).includes('discardable'));
  });

  it('offers a message where an agent with a session has ended', () => {
    assert.deepEqual(statesWith('tellable'), [], 'no attempt tells of a session');
    const [attempt] = sampleLane().attempts;
    const attempts = [{ ...attempt!, session_id: 's1' }];
    const of = (state: LaneState) => laneWords(sampleLane({ state, attempts })).includes('tellable');
    assert.deepEqual(laneStates.filter(of), ['passed', 'failed', 'ready', 'interrupted', 'blocked']);
  });

  it('offers Retry for what did not get through', () => {
    assert.deepEqual(statesWith('retryable'), ['failed', 'interrupted', 'blocked']);
  });
});
