import assert from 'node:assert/strict';
import { discardSummary } from '../../../../src/vscode/commands/discardSummary.ts';
import type { DiscardPreview } from '../../../../src/engine/agentKit.ts';
import { render } from '../sampleRuns.ts';

const nothing: DiscardPreview = {
  lane: 'api',
  path: '/lanes/api',
  branch: 'lane/api',
  dirty: [],
  untracked: [],
  ignored: { files: 0, bytes: 0, largest: [] },
  unpushed: 0,
  unmerged: false,
  submodules: [],
  processes: [],
  not_kept: [],
  branch_fate: 'Its branch is deleted.',
  why_not: [],
};

describe('discardSummary', () => {
  it('promises that all can be restored where all is kept', () => {
    assert.deepEqual(discardSummary(nothing, render.t).split('\n'), [
      'Its branch is deleted.',
      'All of it is rescued first and can be restored.',
    ]);
  });

  it('names what is in it, and does not promise what cannot be kept', () => {
    const names = Array.from({ length: 10 }, (_, n) => `f${n}`);
    const text = discardSummary(
      {
        ...nothing,
        dirty: names,
        untracked: ['new.txt'],
        ignored: { files: 3, bytes: 1536, largest: [] },
        unpushed: 2,
        unmerged: true,
        submodules: [
          { path: 'lib', dirty: true, unpushed: 0 },
          { path: 'clean', dirty: false, unpushed: 0 },
        ],
        processes: [{ pid: 7, command: 'node', ours: true }],
        not_kept: ['run.sock: a socket'],
      },
      render.t,
    );
    assert.deepEqual(text.split('\n'), [
      'Changed: f0, f1, f2, f3, f4, f5, f6, f7 and 2 more',
      'Untracked: new.txt',
      'Ignored: 3 files, 1.5 KB',
      'Commits that no other branch and no remote has: 2',
      'Not all of it is merged into its target.',
      'Work in submodules: lib',
      'Processes that end: 7',
      'Its branch is deleted.',
      'These cannot be kept, and are lost: run.sock: a socket',
    ]);
  });
});
