import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { formatSpan } from '../time.ts';
import { freeText } from './meter.ts';

/** The accessible name of a card: what it is, how it stands, and why. */
export function cardName(card: BoardCard, now: number): string {
  const parts = [card.title === card.id ? card.id : `${card.id}, ${card.title}`, card.state];
  if (card.account !== null) parts.push(`${card.account}, ${freeText(card.headroomPct)}`);
  if (card.since !== null) parts.push(formatSpan(now - Date.parse(card.since)));
  const why = card.reasons[0];
  if (why !== undefined) parts.push(why);
  return parts.join(', ');
}
