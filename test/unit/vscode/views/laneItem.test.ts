import assert from 'node:assert/strict';
import { laneStates } from '../../../../src/core/lanes/laneState.ts';
import { laneIcon } from '../../../../src/vscode/views/laneIcon.ts';
import { laneItem } from '../../../../src/vscode/views/laneItem.ts';
import { render, sampleLane } from '../sampleRuns.ts';

describe('laneItem', () => {
  it('describes a running lane', () => {
    const item = laneItem(sampleLane(), render);
    assert.equal(item.id, 'lane run-1 api');
    assert.equal(item.label, 'api');
    assert.equal(item.description, 'running · demo/@one · 4m · +120 −8');
    assert.equal(item.children, 'closed');
  });

  it('says what a lane may do as a set of words', () => {
    const ready = sampleLane({ state: 'ready', mergeable: true, why_not: [] });
    assert.equal(
      laneItem(sampleLane(), render).words.join(' '),
      'lane running worktree attempted changed stoppable',
    );
    assert.equal(
      laneItem(ready, render).words.join(' '),
      'lane ready worktree attempted changed mergeable discardable gateable',
    );
  });

  it('says that a folder is gone, and offers by hand what makes it again', () => {
    const open = sampleLane({ state: 'open', by_hand: true, attempts: [], folder_gone: true });
    const words = (changes: object) => laneItem({ ...open, ...changes }, render).words;
    assert.match(laneItem(open, render).description, / · folder gone$/);
    assert.ok(words({}).includes('retryable') && !words({}).includes('gateable'));
    assert.ok(!words({ folder_gone: false }).includes('retryable'));
    assert.ok(words({ folder_gone: false }).includes('gateable'));
    assert.ok(!words({ by_hand: false }).includes('retryable'));
  });

  it('leaves out what a queued lane does not have yet', () => {
    const queued = sampleLane({
      state: 'queued',
      account: null,
      path: null,
      head: null,
      attempts: [],
      changes: { files: 0, insertions: 0, deletions: 0, commits: 0, outside_paths: [] },
    });
    const item = laneItem(queued, render);
    assert.equal(item.description, 'queued');
    assert.equal(item.children, 'none');
    assert.deepEqual(item.words, ['lane', 'queued', 'discardable']);
  });

  it('tells in the tooltip why a lane waits', () => {
    const failed = sampleLane({ state: 'failed', why_not: ['it failed', 'check test failed'] });
    assert.match(laneItem(failed, render).tooltip, /^check test failed$/m);
  });

  it('keeps its id when its state changes', () => {
    const ids = laneStates.map((state) => laneItem(sampleLane({ state }), render).id);
    assert.deepEqual(new Set(ids), new Set(['lane run-1 api']));
  });

  it('has a shape of its own for every state that needs a different act', () => {
    const shapes = (
      ['waiting', 'failed', 'blocked', 'interrupted', 'ready', 'merged', 'queued'] as const
    ).map((state) => laneIcon(state).id);
    assert.equal(new Set(shapes).size, shapes.length);
  });
});
