import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { pathChips } from './pathChips.ts';

/** What the agent was asked to do, and where it may write. */
export function cardDetails(card: BoardCard): TemplateResult {
  return html`<div class="card-details">
    <h4>May write</h4>
    <p class="chips">${pathChips(card)}</p>
    <h4>Prompt</h4>
    <p class="prompt">${card.prompt}</p>
  </div>`;
}
