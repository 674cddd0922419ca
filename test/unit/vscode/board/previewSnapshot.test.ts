import assert from 'node:assert/strict';
import { boardSnapshotSchema } from '../../../../src/protocol/boardMessages.ts';
import { previewSnapshot } from '../../../../src/vscode/board/previewSnapshot.ts';
import { makePreview, makeReading, now } from './views.ts';

describe('previewSnapshot', () => {
  it('shows the approval: jobs in order, accounts picked, the gate, who writes', () => {
    const board = previewSnapshot(makePreview(), 'billing.yaml', now);

    boardSnapshotSchema.parse(board);
    assert.equal(board.mode, 'preview');
    assert.equal(board.title, 'billing');
    assert.deepEqual(board.start, { whyNot: [] });
    assert.deepEqual(board.gate, [{ name: 'test', run: 'npm test' }]);
    const [api, docs] = board.cards;
    assert.equal(api?.title, 'Write the API');
    assert.equal(api.account, 'demo/@one');
    assert.equal(api.headroomPct, 50);
    assert.deepEqual(api.wants, { kind: 'demo', account: null });
    assert.deepEqual(docs?.reasons, ['waits for api']);
    assert.deepEqual(docs.after, ['api']);
    assert.equal(docs.stage, 1);
  });

  it('says where agents are told to ask, and nothing where they are not', () => {
    const askedBy = (asked: string[]) => previewSnapshot(makePreview({ asked_by: asked }), 'x', now).askedBy;
    assert.deepEqual(askedBy(['the settings']), ['the settings']);
    assert.equal(askedBy([]), undefined);
  });

  it('names the job that an account is picked for, and what its windows leave after the reserve', () => {
    const accounts = [makeReading('@one', 60), makeReading('@two', 5)];
    const board = previewSnapshot(makePreview({ accounts }), 'billing.yaml', now);

    assert.deepEqual(
      board.accounts.map(({ name, headroomPct, usedBy }) => ({ name, headroomPct, usedBy })),
      [
        { name: 'demo/@one', headroomPct: 50, usedBy: 'api' },
        { name: 'demo/@two', headroomPct: 0, usedBy: null },
      ],
    );
  });

  it('leaves out accounts that the person excluded, unless a job names one', () => {
    const accounts = [makeReading('@one', 60), { ...makeReading('@two', 80), excluded: true as const }];
    const names = (all: typeof accounts) =>
      previewSnapshot(makePreview({ accounts: all }), 'billing.yaml', now).accounts.map(({ name }) => name);
    assert.deepEqual(names(accounts), ['demo/@one']);
    const one = { ...makeReading('@one', 60), excluded: true as const };
    assert.deepEqual(names([one]), ['demo/@one']);
  });

  it('does not guess what is free once a window has reset', () => {
    const [reading] = [makeReading('@one', 60)];
    const board = previewSnapshot(
      makePreview({ accounts: [reading] }),
      'billing.yaml',
      '2026-03-06T10:00:00.000Z',
    );

    assert.equal(board.accounts[0]?.headroomPct, null);
  });

  it('hands on overlaps with both globs and the reason why it cannot start', () => {
    const overlap = { a: 'api', b: 'docs', globA: 'src/**', globB: 'src/a.ts', example: 'src/a.ts' };
    const located = { ...overlap, line: 9, column: 13 };
    const board = previewSnapshot(makePreview({ overlaps: [located], whyNot: ['paths overlap'] }), '', now);

    assert.deepEqual(board.overlaps, [overlap]);
    assert.deepEqual(board.start, { whyNot: ['paths overlap'] });
  });

  it('shows the problems of a plan that cannot be read, under the name of its file', () => {
    const problems = [{ line: 3, column: 7, message: 'unknown key "jbos"' }];
    const board = previewSnapshot(
      makePreview({ plan: null, problems, whyNot: ['it has problems'] }),
      'billing.yaml',
      now,
    );

    assert.equal(board.title, 'billing.yaml');
    assert.deepEqual(board.problems, problems);
    assert.deepEqual(board.cards, []);
    assert.match(board.status, /1 problem/);
  });
});
