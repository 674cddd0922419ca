import { html, type TemplateResult } from 'lit';
import type { BoardContext } from './boardContext.ts';

/** A chip that names a card, lights it up while pointed at, and goes there when pressed. */
export function cardLink(
  card: string,
  label: string | TemplateResult,
  { snapshot, intents }: BoardContext,
): TemplateResult {
  if (!snapshot.cards.some(({ id }) => id === card)) return html`<span class="chip">${label}</span>`;
  const light = () => intents.highlight(card);
  const dim = () => intents.highlight(null);
  return html`<button
    class="chip chip-link"
    type="button"
    tabindex="-1"
    @pointerenter=${light}
    @pointerleave=${dim}
    @focus=${light}
    @blur=${dim}
    @click=${() => intents.focusCard(card)}
  >
    ${label}
  </button>`;
}
