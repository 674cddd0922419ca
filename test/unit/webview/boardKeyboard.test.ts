import assert from 'node:assert/strict';
import { makeCard, previewSnapshot, runSnapshot } from './boardSnapshots.ts';
import { openBoard, type OpenBoard } from './openBoard.ts';

describe('board page keyboard', function () {
  this.timeout(20_000);
  const now = Date.now();
  let board: OpenBoard;
  beforeEach(async () => {
    board = await openBoard();
    board.post({ type: 'snapshot', snapshot: runSnapshot(now) });
  });
  afterEach(() => board.close());

  const tabStops = () =>
    [...board.document.querySelectorAll<HTMLElement>('.board *')]
      .filter((element) => element.tabIndex >= 0 && element.closest('vscode-button') === null)
      .map((element) => element.dataset['card'] ?? element.localName);

  it('has one tab stop, which goes where the focus was', () => {
    assert.deepEqual(tabStops(), ['docs']);
    board.card('docs').focus();
    assert.equal(board.press('ArrowRight'), true);
    assert.equal(board.focusedCard(), 'export');
    assert.deepEqual(tabStops(), ['export']);
    assert.equal(board.state?.focused, 'export');
  });

  it('opens the menu with Shift+F10, gives the focus back on Escape', () => {
    board.card('totals').focus();
    board.press('F10', { shiftKey: true });
    assert.equal(board.document.activeElement?.textContent.trim(), 'Review and Merge…');
    board.press('ArrowUp');
    assert.equal(board.document.activeElement.textContent.trim(), 'Show Details');
    board.press('Escape');
    assert.equal(board.document.querySelector('[role=menu]'), null);
    assert.equal(board.focusedCard(), 'totals');
  });

  it('runs the first action on Enter, shows the details on Space', () => {
    board.card('totals').focus();
    board.press('Enter');
    assert.deepEqual(board.sent.at(-1), { type: 'action', card: 'totals', action: 'merge' });
    assert.equal(board.card('totals').querySelector('.card-details'), null);
    board.press(' ');
    assert.match(board.card('totals').querySelector('.card-details')?.textContent ?? '', /src\/totals/);
  });

  it('leaves keys on a button of a card to that button', () => {
    const button = board.button('Review Changes: totals');
    button.focus();
    assert.equal(board.press('Enter'), false);
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
  });

  it('takes no focus while the person is elsewhere in the editor', () => {
    board.card('rates').focus();
    board.document.hasFocus = () => false;
    board.post({ type: 'cards', cards: [makeCard('rates', { column: 'ready' })], removed: [] });
    assert.notEqual(board.focusedCard(), 'rates');
  });

  it('lets the focus follow a moving card, and finds a place when the card goes', () => {
    board.card('rates').focus();
    board.post({ type: 'cards', cards: [makeCard('rates', { column: 'ready' })], removed: [] });
    assert.equal(board.focusedCard(), 'rates');
    board.post({ type: 'cards', cards: [], removed: ['rates'] });
    assert.equal(board.focusedCard(), 'docs');
  });

  it('opens the editor of a plan card on Enter', () => {
    board.post({ type: 'snapshot', snapshot: previewSnapshot(now) });
    board.card('currency').focus();
    board.press('Enter');
    assert.deepEqual(board.state?.open, ['currency']);
    board.card('currency').querySelector('select')?.focus();
    assert.equal(board.press('ArrowDown'), false);
    board.press('Escape');
    assert.equal(board.focusedCard(), 'currency');
    assert.deepEqual(board.state.open, []);
  });
});
