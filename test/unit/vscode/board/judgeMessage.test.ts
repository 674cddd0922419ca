import assert from 'node:assert/strict';
import type { BoardSnapshot } from '../../../../src/protocol/boardMessages.ts';
import { judgeMessage } from '../../../../src/vscode/board/judgeMessage.ts';
import { previewSnapshot } from '../../../../src/vscode/board/previewSnapshot.ts';
import { runSnapshot } from '../../../../src/vscode/board/runSnapshot.ts';
import { makePreview, makeRun, makeWorkedLane, now } from './views.ts';

const plan = previewSnapshot(makePreview(), '', now);
const refusedPlan = previewSnapshot(makePreview({ whyNot: ['no account'] }), '', now);
const run = runSnapshot(makeRun({ lanes: [makeWorkedLane({ state: 'running' })] }), {
  accounts: [],
  prompts: new Map(),
  now,
});

const isTaken = (raw: unknown, shown: BoardSnapshot | null): boolean => 'message' in judgeMessage(raw, shown);

describe('judgeMessage', () => {
  it('takes ready at any time and nothing else before a board is shown', () => {
    assert.ok(isTaken({ type: 'ready' }, null));
    assert.ok(!isTaken({ type: 'openSource' }, null));
    assert.ok(isTaken({ type: 'openSource' }, plan));
  });

  it('ignores what does not follow the protocol', () => {
    const hostile = [
      null,
      7,
      'start',
      [],
      {},
      { type: 'eval' },
      { type: 'edit', job: 'api', field: 'id', value: 'x' },
    ];
    for (const raw of [...hostile, { type: 'edit', job: {}, field: 'prompt', value: 1 }])
      assert.ok(!isTaken(raw, plan));
    assert.ok(isTaken({ type: 'edit', job: 'api', field: 'prompt', value: 'x' }, plan));
  });

  it('starts only what Start is enabled for', () => {
    assert.ok(isTaken({ type: 'start' }, plan));
    assert.ok(!isTaken({ type: 'start' }, refusedPlan));
    assert.ok(!isTaken({ type: 'start' }, run));
  });

  it('edits only jobs of a plan, with text of a sane length', () => {
    const edit = { type: 'edit', job: 'api', field: 'paths', value: 'src/**' };
    assert.ok(isTaken(edit, plan));
    assert.ok(!isTaken({ ...edit, job: 'other' }, plan));
    assert.ok(!isTaken({ ...edit, value: 'x'.repeat(100_001) }, plan));
    assert.ok(!isTaken(edit, run));
  });

  it('runs only actions that the card or the board offers', () => {
    assert.ok(isTaken({ type: 'action', card: 'api', action: 'stop' }, run));
    assert.ok(!isTaken({ type: 'action', card: 'api', action: 'merge' }, run));
    assert.ok(!isTaken({ type: 'action', card: 'other', action: 'stop' }, run));
    assert.ok(isTaken({ type: 'runAction', action: 'stop' }, run));
    assert.ok(!isTaken({ type: 'runAction', action: '../workbench.action.quit' }, run));
  });
});
