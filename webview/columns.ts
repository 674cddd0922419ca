import type { BoardCard } from '../src/protocol/boardMessages.ts';

export type ColumnId = BoardCard['column'];

export interface Column {
  id: ColumnId;
  label: string;
  /** Codicon of the column and, unless a check says more, of its cards. */
  icon: string;
}

/** The columns of a run's board, left to right. */
export const columns: readonly Column[] = [
  { id: 'queued', label: 'Queued', icon: 'clockface' },
  { id: 'running', label: 'Running', icon: 'sync' },
  { id: 'needsYou', label: 'Needs You', icon: 'bell-dot' },
  { id: 'gate', label: 'Gate', icon: 'beaker' },
  { id: 'review', label: 'Review', icon: 'eye' },
  { id: 'ready', label: 'Ready', icon: 'pass' },
  { id: 'merged', label: 'Merged', icon: 'git-merge' },
  { id: 'stopped', label: 'Stopped', icon: 'error' },
];

export function cardsOf(column: ColumnId, cards: readonly BoardCard[]): BoardCard[] {
  return cards.filter((card) => card.column === column);
}

/** Cards of a preview by the stage they start in, first stage first. */
export function groupByStage(cards: readonly BoardCard[]): BoardCard[][] {
  const stages = new Map<number, BoardCard[]>();
  for (const card of cards) {
    const stage = card.stage ?? 0;
    stages.set(stage, [...(stages.get(stage) ?? []), card]);
  }
  return [...stages.entries()].sort(([a], [b]) => a - b).map(([, inStage]) => inStage);
}
