import assert from 'node:assert/strict';
import { laneStates } from '../../../../src/core/lanes/laneState.ts';
import { boardSnapshotSchema } from '../../../../src/protocol/boardMessages.ts';
import { runSnapshot } from '../../../../src/vscode/board/runSnapshot.ts';
import { makeLane, makeReading, makeRun, makeWorkedLane, now } from './views.ts';

const facts = {
  accounts: [makeReading('@one', 60)],
  prompts: new Map([['api', 'Write the API\nwith care']]),
  now,
};

describe('runSnapshot', () => {
  it('has a place for a lane in every state', () => {
    for (const state of laneStates) {
      const board = runSnapshot(makeRun({ lanes: [makeLane({ state })] }), facts);
      boardSnapshotSchema.parse(board);
      assert.equal(board.cards.length, 1, state);
    }
  });

  it('shows a working lane with its account, activity and the prompt of the plan', () => {
    const lane = makeWorkedLane({ state: 'running', headroom_pct: 50, activity: 'Reading src/api' });
    const board = runSnapshot(makeRun({ lanes: [lane] }), facts);

    const [card] = board.cards;
    assert.equal(card?.column, 'running');
    assert.equal(card.activity, 'Reading src/api');
    assert.equal(card.headroomPct, 50);
    assert.equal(card.prompt, 'Write the API\nwith care');
    assert.deepEqual(card.changes, { files: 2, insertions: 12, deletions: 3 });
    assert.equal(board.accounts[0]?.usedBy, 'api');
    assert.equal(board.endedAt, null);
  });

  it('frees the account of a lane that has ended', () => {
    const board = runSnapshot(
      makeRun({ status: 'done', lanes: [makeWorkedLane({ state: 'merged' })] }),
      facts,
    );

    assert.equal(board.accounts[0]?.usedBy, null);
    assert.equal(board.endedAt, now);
    assert.match(board.status, /1 of 1 merged/);
  });

  it('tells what became of all lanes where one failed', () => {
    const lanes = (['ready', 'failed', 'ready'] as const).map((state) => makeWorkedLane({ state }));
    assert.equal(runSnapshot(makeRun({ status: 'failed', lanes }), facts).status, '1 failed, 2 ready');
  });

  it('tells why a failed lane failed, but not why one under way cannot be merged yet', () => {
    const why_not = ['it failed', 'check test did not pass'];
    const failed = runSnapshot(makeRun({ lanes: [makeWorkedLane({ state: 'failed', why_not })] }), facts);
    const running = runSnapshot(makeRun({ lanes: [makeWorkedLane({ state: 'running', why_not })] }), facts);

    assert.deepEqual(failed.cards[0]?.reasons, ['check test did not pass']);
    assert.deepEqual(running.cards[0]?.reasons, []);
  });

  it('shows the checks of the merged tree once they are run', () => {
    const check = { exit: 0, duration_s: 1, message: null, findings: [], more_findings: 0 };
    const gate = (status: 'passed' | 'failed') => ({
      status,
      head: 'b'.repeat(40),
      message: null,
      checks: [{ ...check, name: 'test', status }],
    });
    const lane = makeWorkedLane({ state: 'ready', gate: gate('passed'), merge_gate: gate('failed') });

    assert.deepEqual(runSnapshot(makeRun({ lanes: [lane] }), facts).cards[0]?.checks, [
      { name: 'test', status: 'failed' },
    ]);
  });
});
