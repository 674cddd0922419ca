import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { cardsOf, type Column } from '../columns.ts';
import type { BoardContext } from './boardContext.ts';
import { card } from './card.ts';
import { icon } from './icon.ts';

/** A labelled list of cards; without cards only its name and count. */
export function column(column: Column, context: BoardContext): TemplateResult {
  const cards = cardsOf(column.id, context.snapshot.cards);
  const heading = `column-${column.id}`;
  return html`<section class="column ${cards.length === 0 ? 'column-slim' : ''}" aria-labelledby=${heading}>
    <h2 id=${heading}>
      ${icon(column.icon, `tone-${column.id}`)}<span>${column.label}</span>
      <span class="count">${cards.length}</span>
    </h2>
    <ul aria-labelledby=${heading}>
      ${repeat(
        cards,
        ({ id }) => id,
        (each) => card(each, context),
      )}
    </ul>
  </section>`;
}
