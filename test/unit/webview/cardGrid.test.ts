import assert from 'node:assert/strict';
import { cardGrid, moveFocus, tabStop } from '../../../webview/cardGrid.ts';
import { previewSnapshot, runSnapshot } from './boardSnapshots.ts';

describe('cardGrid', () => {
  const grid = [['a', 'b', 'c'], ['d'], ['e', 'f']];

  it('has a run by columns without the empty ones, and a plan as one list by stage', () => {
    assert.deepEqual(cardGrid(runSnapshot(0)), [
      ['docs'],
      ['export', 'dates'],
      ['mail', 'tax'],
      ['rates'],
      ['totals'],
      ['currency'],
      ['pdf'],
    ]);
    const plan = previewSnapshot(0);
    const backwards = { ...plan, cards: plan.cards.toReversed() };
    assert.deepEqual(cardGrid(backwards), [['totals', 'currency', 'export']]);
    assert.deepEqual(cardGrid({ ...plan, cards: [] }), []);
  });

  it('moves within a column and to its neighbours, and stays at the edges', () => {
    assert.equal(moveFocus(grid, 'a', 'ArrowDown'), 'b');
    assert.equal(moveFocus(grid, 'c', 'ArrowDown'), null);
    assert.equal(moveFocus(grid, 'b', 'ArrowUp'), 'a');
    assert.equal(moveFocus(grid, 'c', 'ArrowRight'), 'd');
    assert.equal(moveFocus(grid, 'f', 'ArrowLeft'), 'd');
    assert.equal(moveFocus(grid, 'a', 'ArrowLeft'), null);
    assert.equal(moveFocus(grid, 'b', 'Home'), 'a');
    assert.equal(moveFocus(grid, 'b', 'End'), 'c');
    assert.equal(moveFocus(grid, 'b', 'x'), null);
    assert.equal(moveFocus(grid, 'gone', 'ArrowUp'), null);
  });

  it('keeps the tab stop on the last focused card while it exists', () => {
    assert.equal(tabStop(grid, 'f'), 'f');
    assert.equal(tabStop(grid, 'gone'), 'a');
    assert.equal(tabStop(grid, null), 'a');
    assert.equal(tabStop([], 'a'), null);
  });
});
