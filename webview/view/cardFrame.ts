import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import type { BoardContext } from './boardContext.ts';
import { cardName } from './cardName.ts';

/** The list item around a card: its name, its place in the tab order, its menu on a right click. */
export function cardFrame(
  card: BoardCard,
  context: BoardContext,
  look: string,
  content: TemplateResult,
): TemplateResult {
  const { highlighted, tabStop, intents, now } = context;
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    intents.openMenu(card.id, event.currentTarget as Element);
  };
  return html`<li
    class="card ${look} ${highlighted === card.id ? 'card-highlighted' : ''}"
    data-card=${card.id}
    tabindex=${tabStop === card.id ? '0' : '-1'}
    aria-label=${cardName(card, now)}
    @contextmenu=${openMenu}
  >
    ${content}
  </li>`;
}
