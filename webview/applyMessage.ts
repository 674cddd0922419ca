import type { BoardSnapshot, ToPage } from '../src/protocol/boardMessages.ts';

/** What the page shows after a message. Changed cards before the first snapshot have nothing to change. */
export function applyMessage(snapshot: BoardSnapshot | null, message: ToPage): BoardSnapshot | null {
  if (message.type === 'snapshot') return message.snapshot;
  if (snapshot === null) return null;
  const changed = new Map(message.cards.map((card) => [card.id, card]));
  const kept = snapshot.cards.filter((card) => !message.removed.includes(card.id));
  const known = new Set(kept.map((card) => card.id));
  return {
    ...snapshot,
    cards: [
      ...kept.map((card) => changed.get(card.id) ?? card),
      ...message.cards.filter((card) => !known.has(card.id)),
    ],
  };
}
