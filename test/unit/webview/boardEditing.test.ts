import assert from 'node:assert/strict';
import { previewSnapshot } from './boardSnapshots.ts';
import { openBoard, type OpenBoard } from './openBoard.ts';

const prompt = 'Sum line items without floating point errors';

describe('editing a card of a plan', function () {
  this.timeout(20_000);
  const snapshot = previewSnapshot(Date.now());
  let board: OpenBoard;
  afterEach(() => board.close());

  const field = (index: number) =>
    board.card('totals').querySelectorAll<HTMLTextAreaElement>('vscode-text-area')[index]!;
  const type = (area: HTMLTextAreaElement, value: string) => {
    const { Event } = board.document.defaultView!;
    area.value = value;
    area.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  };
  const leave = (area: HTMLTextAreaElement) => {
    const { FocusEvent } = board.document.defaultView!;
    area.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }));
  };
  const open = async () => {
    board = await openBoard();
    board.post({ type: 'snapshot', snapshot });
    board.button('Edit: totals').click();
  };

  it('writes paths, one a line, when the field is left', async () => {
    await open();
    type(field(1), 'src/sum/**\ntest/sum/**');
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
    leave(field(1));
    const value = 'src/sum/**\ntest/sum/**';
    assert.deepEqual(board.sent.slice(1), [{ type: 'edit', job: 'totals', field: 'paths', value }]);
  });

  it('writes nothing when nothing was changed', async () => {
    await open();
    type(field(0), prompt);
    leave(field(0));
    board.button('Done editing: totals').click();
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
  });

  it('chooses an account, a kind, or any account', async () => {
    await open();
    const { Event } = board.document.defaultView!;
    const select = board.card('totals').querySelector('select')!;
    assert.equal(select.value, 'account:demo/@work2');
    for (const value of ['kind:demo', 'account:', 'account:demo/@default']) {
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
    assert.deepEqual(board.sent.slice(1), [
      { type: 'edit', job: 'totals', field: 'kind', value: 'demo' },
      { type: 'edit', job: 'totals', field: 'account', value: '' },
      { type: 'edit', job: 'totals', field: 'account', value: 'demo/@default' },
    ]);
  });

  it('keeps a text through snapshots, and shows the plan again once it was sent', async () => {
    await open();
    type(field(0), `${prompt}, in cents`);
    board.post({ type: 'snapshot', snapshot });
    assert.equal(field(0).value, `${prompt}, in cents`);
    leave(field(0));
    board.post({ type: 'snapshot', snapshot });
    assert.equal(field(0).value, prompt);
  });

  it('brings an unfinished text into the plan after the page was hidden, unless the plan has changed', async () => {
    await open();
    type(field(0), `${prompt}, in cents`);
    const { state } = board;
    board.close();
    board = await openBoard(state);
    board.post({ type: 'snapshot', snapshot });
    assert.deepEqual(board.sent.slice(1), [
      { type: 'edit', job: 'totals', field: 'prompt', value: `${prompt}, in cents` },
    ]);
    board.close();
    board = await openBoard(state);
    const cards = snapshot.cards.map((card) => ({ ...card, prompt: 'Changed in the file' }));
    board.post({ type: 'snapshot', snapshot: { ...snapshot, cards } });
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
    assert.equal(field(0).value, 'Changed in the file');
  });
});
