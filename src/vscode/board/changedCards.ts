import type { BoardSnapshot, ToPage } from '../../protocol/boardMessages.ts';

/** The smallest message that brings a page from one snapshot to the next; null when nothing is different. */
export function changedCards(before: BoardSnapshot | null, after: BoardSnapshot): ToPage | null {
  if (before === null || frameOf(before) !== frameOf(after)) return { type: 'snapshot', snapshot: after };
  const old = new Map(before.cards.map((card) => [card.id, JSON.stringify(card)]));
  const cards = after.cards.filter((card) => old.get(card.id) !== JSON.stringify(card));
  const ids = new Set(after.cards.map((card) => card.id));
  const removed = before.cards.map((card) => card.id).filter((id) => !ids.has(id));
  return cards.length > 0 || removed.length > 0 ? { type: 'cards', cards, removed } : null;
}

/** Everything but the cards. */
function frameOf(snapshot: BoardSnapshot): string {
  return JSON.stringify({ ...snapshot, cards: [] });
}
