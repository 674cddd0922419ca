import assert from 'node:assert/strict';
import type { BoardSnapshot } from '../../../src/protocol/boardMessages.ts';
import { makeCard, previewSnapshot, refusedSnapshot, runSnapshot } from './boardSnapshots.ts';
import { openBoard, type OpenBoard } from './openBoard.ts';

const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

/** The same snapshot with markup in every text that a plan, an agent or a path can bring. */
function poisoned(snapshot: BoardSnapshot): BoardSnapshot {
  const words = new Set(['mode', 'column', 'since', 'startedAt', 'resetsAt', 'id']);
  const text = JSON.stringify(snapshot, (key, value: unknown) =>
    typeof value === 'string' && !words.has(key) ? `${hostile} ${value}` : value,
  );
  const read = JSON.parse(text) as BoardSnapshot;
  return { ...read, mode: snapshot.mode };
}

describe('board page', function () {
  this.timeout(20_000);
  let board: OpenBoard;
  let now: number;
  const show = (snapshot: BoardSnapshot) => board.post({ type: 'snapshot', snapshot });
  beforeEach(async () => {
    board = await openBoard();
    // The page counts from the clock: what it is shown must not be older than it looks.
    now = Date.now();
  });
  afterEach(() => board.close());

  it('asks for the picture and waits for it', () => {
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
    assert.match(board.document.body.textContent, /Reading the plan…/);
    board.post({ type: 'cards', cards: [makeCard('api')], removed: [] });
    assert.equal(board.document.querySelector('[data-card]'), null);
  });

  it('lists every column by name and count, and its cards by name and state', () => {
    show(runSnapshot(now));
    const lists = [...board.document.querySelectorAll('.column')].map((column) => [
      column.querySelector('h2')?.textContent.trim().replace(/\s+/g, ' '),
      [...column.querySelectorAll('li[data-card]')].length,
    ]);
    assert.deepEqual(lists, [
      ['Queued 1', 1],
      ['Running 2', 2],
      ['Needs You 2', 2],
      ['Gate 1', 1],
      ['Review 0', 0],
      ['Ready 1', 1],
      ['Merged 1', 1],
      ['Stopped 1', 1],
    ]);
    assert.equal(
      board.card('export').getAttribute('aria-label'),
      'export, Export an invoice as CSV, running, demo/@default, 92 % free, 4m',
    );
    assert.match(board.card('tax').getAttribute('aria-label') ?? '', /, failed, .*2 of 14 tests fail/);
    assert.match(board.card('export').textContent.replace(/\s+/g, ' '), /3 files \+120 −8/);
  });

  it('keeps the code of a prompt for the editor of its card', () => {
    const prompt = 'Add a greeting\nSay it in German.\n\n```demo\n- say: Hallo\n```\n';
    const cards = [makeCard('greeting', { title: 'Add a greeting', prompt })];
    show({ ...previewSnapshot(now), cards });
    assert.equal(board.document.querySelector('.prompt')?.textContent, 'Say it in German.');
    assert.doesNotMatch(board.card('greeting').textContent, /```|Hallo/);
  });

  it('takes changed cards in, keeps the others and lets removed ones go', () => {
    show(runSnapshot(now));
    const docs = board.card('docs');
    board.post({
      type: 'cards',
      cards: [makeCard('rates', { column: 'ready', state: 'ready' }), makeCard('new', { column: 'queued' })],
      removed: ['pdf'],
    });
    assert.equal(board.card('docs'), docs);
    assert.equal(
      board.card('rates').closest('.column')?.querySelector('h2 span + span')?.textContent,
      'Ready',
    );
    assert.equal(board.card('new').closest('.column')?.querySelector('.count')?.textContent, '2');
    assert.throws(() => board.card('pdf'), /no card pdf/);
  });

  it('sends a card action under its id', () => {
    show(runSnapshot(now));
    board.button('Review and Merge…: totals').click();
    board.button('Stop Run').click();
    assert.deepEqual(board.sent.slice(1), [
      { type: 'action', card: 'totals', action: 'merge' },
      { type: 'runAction', action: 'stop' },
    ]);
  });

  it('says that agents ask, and where that is said', () => {
    const strip = () => board.document.querySelector('.strip-title')?.textContent ?? '';
    show(previewSnapshot(now));
    assert.doesNotMatch(strip(), /agents ask/);
    const snapshot = { ...previewSnapshot(now), askedBy: ['the plan', 'the settings'] };
    board.post({ type: 'snapshot', snapshot });
    assert.match(strip(), /agents ask \(said by the plan, the settings\)/);
  });

  it('starts a plan that can start', () => {
    show(previewSnapshot(now));
    const start = board.button('Start');
    assert.equal(start.getAttribute('aria-disabled'), 'false');
    assert.equal(start.hasAttribute('aria-describedby'), false);
    start.click();
    assert.deepEqual(board.sent.at(-1), { type: 'start' });
  });

  it('does not start a refused plan, stays focusable and says why', () => {
    show(refusedSnapshot(now));
    const start = board.button('Start');
    start.click();
    start.focus();
    assert.deepEqual(board.sent, [{ type: 'ready' }]);
    assert.equal(board.document.activeElement, start);
    assert.equal(start.getAttribute('aria-disabled'), 'true');
    const why = board.document.getElementById(start.getAttribute('aria-describedby') ?? '');
    const lines = [...(why?.children ?? [])].map((line) => line.textContent.trim().replace(/\s+/g, ' '));
    assert.deepEqual(lines, [
      'Line 14:5jobs[1].timeout: write a duration like 90s, 10m or 2h',
      'currency src/money/** overlaps totals src/**/*.js · both match src/money/format.js',
      'export: no account of kind codex is logged in',
    ]);
    board.button('Line 14:5, open the plan there').click();
    assert.deepEqual(board.sent.at(-1), { type: 'openSource', line: 14, column: 5 });
  });

  for (const [name, snapshot] of Object.entries({ previewSnapshot, refusedSnapshot, runSnapshot })) {
    it(`shows markup in a ${name} as text`, () => {
      show(poisoned(snapshot(now)));
      assert.ok(board.document.body.textContent.includes(hostile));
      assert.equal(board.document.querySelector('img, #board script'), null);
      assert.equal(board.document.title, 'Board');
    });
  }
});
