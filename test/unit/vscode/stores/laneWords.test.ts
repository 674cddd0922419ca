import assert from 'node:assert/strict';
import { laneStates } from '../../../../src/core/lanes/laneState.ts';
import { laneWords } from '../../../../src/vscode/stores/laneWords.ts';
import { sampleLane } from '../sampleRuns.ts';

const statesWith = (word: 'stoppable' | 'gateable' | 'retryable', path: string | null = '/lanes/api') =>
  laneStates.filter((state) => laneWords(sampleLane({ state, path })).includes(word));

describe('laneWords', () => {
  it('offers Stop while something goes on that can be stopped, a merge too', () => {
    assert.deepEqual(statesWith('stoppable'), ['preparing', 'running', 'waiting', 'verifying', 'merging']);
  });

  it('offers the gate when no agent is at work and there is something to check', () => {
    assert.deepEqual(statesWith('gateable'), ['failed', 'ready', 'interrupted', 'blocked']);
    assert.deepEqual(statesWith('gateable', null), []);
  });

  it('offers Retry for what did not get through', () => {
    assert.deepEqual(statesWith('retryable'), ['failed', 'interrupted', 'blocked']);
  });
});
