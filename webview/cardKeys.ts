import { moveFocus, type CardGrid } from './cardGrid.ts';

/** What a key pressed on a card means. */
export type CardCommand = { do: 'enter' | 'toggle' | 'menu' } | { do: 'focus'; card: string };

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

/** Arrows move, Enter opens, Space shows details, Shift+F10 or the menu key opens the menu. */
export function cardCommand(event: Key, card: string, grid: CardGrid): CardCommand | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) return { do: 'menu' };
  if (event.shiftKey) return null;
  if (event.key === 'Enter') return { do: 'enter' };
  if (event.key === ' ') return { do: 'toggle' };
  const target = moveFocus(grid, card, event.key);
  return target === null ? null : { do: 'focus', card: target };
}

/** In a card's editor: Ctrl+Enter (or ⌘ Enter) keeps what was typed, Escape drops it. */
export function editorCommand(event: Key): 'keep' | 'drop' | null {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return 'keep';
  return event.key === 'Escape' ? 'drop' : null;
}
