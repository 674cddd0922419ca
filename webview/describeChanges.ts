import type { BoardCard, BoardSnapshot } from '../src/protocol/boardMessages.ts';

/** What a screen reader is told between two pictures of the board: states, never activity lines. */
export function describeChanges(before: BoardSnapshot | null, after: BoardSnapshot): string[] {
  if (before === null || before.mode !== after.mode) return [];
  const lines = describeStart(before, after);
  if (before.status !== after.status) lines.push(after.status);
  const earlier = new Map(before.cards.map((card) => [card.id, card]));
  for (const card of after.cards) {
    const was = earlier.get(card.id);
    if (was === undefined ? after.mode === 'run' : was.state !== card.state) lines.push(describeCard(card));
  }
  return lines;
}

function describeCard(card: BoardCard): string {
  const asksForWhy = card.column === 'needsYou' || card.column === 'stopped';
  const why = asksForWhy ? card.reasons[0] : undefined;
  return why === undefined ? `${card.id}: ${card.state}` : `${card.id}: ${card.state}, ${why}`;
}

function describeStart(before: BoardSnapshot, after: BoardSnapshot): string[] {
  const whyNot = after.start?.whyNot ?? [];
  if ((before.start?.whyNot ?? []).join('\n') === whyNot.join('\n')) return [];
  return [whyNot.length === 0 ? 'The plan can start' : `Cannot start: ${whyNot.join('; ')}`];
}
