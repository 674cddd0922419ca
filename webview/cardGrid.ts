import type { BoardSnapshot } from '../src/protocol/boardMessages.ts';
import { cardsOf, columns, groupByStage } from './columns.ts';

/** Ids of the cards as they stand on the page: columns without cards are left out. */
export type CardGrid = string[][];

/** A run's board has one list a column; a preview is one list from top to bottom. */
export function cardGrid(snapshot: BoardSnapshot): CardGrid {
  const lists =
    snapshot.mode === 'run'
      ? columns.map((column) => cardsOf(column.id, snapshot.cards))
      : [groupByStage(snapshot.cards).flat()];
  return lists.filter((list) => list.length > 0).map((list) => list.map((card) => card.id));
}

/** The card that an arrow, Home or End leads to; null when the key leads nowhere. */
export function moveFocus(grid: CardGrid, from: string, key: string): string | null {
  const column = grid.findIndex((list) => list.includes(from));
  const list = grid[column];
  if (list === undefined) return null;
  const row = list.indexOf(from);
  const beside = (offset: number) => {
    const next = grid[column + offset];
    return next?.[Math.min(row, next.length - 1)];
  };
  const targets: Record<string, string | undefined> = {
    ArrowUp: list[row - 1],
    ArrowDown: list[row + 1],
    ArrowLeft: beside(-1),
    ArrowRight: beside(1),
    Home: list[0],
    End: list[list.length - 1],
  };
  const target = targets[key];
  return target === undefined || target === from ? null : target;
}

/** The one card that Tab reaches: the last focused one while it exists, else the first. */
export function tabStop(grid: CardGrid, focused: string | null): string | null {
  const exists = focused !== null && grid.some((list) => list.includes(focused));
  return exists ? focused : (grid[0]?.[0] ?? null);
}
