import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { icon } from './icon.ts';

export function pathChips(card: BoardCard): TemplateResult[] {
  if (card.paths.length > 0) return card.paths.map((path) => html`<code class="chip">${path}</code>`);
  return [html`<span class="chip chip-warn">${icon('warning', 'tone-warn')}any path, not checked</span>`];
}
