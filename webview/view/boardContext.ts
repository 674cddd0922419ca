import type { BoardCard, BoardSnapshot, ToHost } from '../../src/protocol/boardMessages.ts';
import type { TextField } from '../drafts.ts';

/** All that a picture of the board depends on. */
export interface BoardContext {
  snapshot: BoardSnapshot;
  /** Milliseconds since the epoch. */
  now: number;
  /** The card that Tab reaches. */
  tabStop: string | null;
  /** The card that a dependency or an account points at just now. */
  highlighted: string | null;
  open: ReadonlySet<string>;
  details: boolean;
  text: (card: BoardCard, field: TextField) => string;
  intents: BoardIntents;
}

/** What a person can do on the page. */
export interface BoardIntents {
  send(message: ToHost): void;
  focusCard(card: string): void;
  highlight(card: string | null): void;
  toggleCard(card: string): void;
  toggleDetails(): void;
  openMenu(card: string, anchor: Element): void;
  type(card: BoardCard, field: TextField, value: string): void;
  commit(card: string, field: TextField): void;
}
