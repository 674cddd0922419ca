import assert from 'node:assert/strict';
import { changedCards } from '../../../../src/vscode/board/changedCards.ts';
import { runSnapshot } from '../../../../src/vscode/board/runSnapshot.ts';
import { makeLane, makeRun, makeWorkedLane, now } from './views.ts';

const facts = { accounts: [], prompts: new Map<string, string>(), now };
const one = makeWorkedLane({ state: 'running' });
const two = makeLane({ lane: 'docs', job: 'docs' });
const before = runSnapshot(makeRun({ lanes: [one, two] }), facts);

describe('changedCards', () => {
  it('says nothing when nothing is different', () => {
    assert.equal(changedCards(before, structuredClone(before)), null);
  });

  it('sends a changed card alone', () => {
    const after = runSnapshot(makeRun({ lanes: [{ ...one, activity: 'Writing' }, two] }), facts);
    assert.deepEqual(changedCards(before, after), { type: 'cards', cards: [after.cards[0]], removed: [] });
  });

  it('names a card that is gone', () => {
    const after = { ...before, cards: before.cards.slice(0, 1) };
    assert.deepEqual(changedCards(before, after), { type: 'cards', cards: [], removed: ['docs'] });
  });

  it('sends everything at first and when anything but cards is different', () => {
    const after = { ...before, status: 'done' };
    assert.deepEqual(changedCards(null, before), { type: 'snapshot', snapshot: before });
    assert.deepEqual(changedCards(before, after), { type: 'snapshot', snapshot: after });
  });
});
