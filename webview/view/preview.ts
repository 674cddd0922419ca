import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { groupByStage } from '../columns.ts';
import type { BoardContext } from './boardContext.ts';
import { obstacles } from './obstacles.ts';
import { planCard } from './planCard.ts';

/** The plan before its start, for approval: its jobs in the order in which they can begin. */
export function preview(context: BoardContext): TemplateResult {
  const stages = groupByStage(context.snapshot.cards);
  return html`<div class="preview">
    ${obstacles(context)} ${stages.map((cards, index) => stage(cards, index, stages.length, context))}
  </div>`;
}

function stage(cards: BoardCard[], index: number, count: number, context: BoardContext): TemplateResult {
  const heading = `stage-${index}`;
  const jobs = cards.length === 1 ? '1 job' : `${cards.length} jobs`;
  return html`<section class="stage" aria-labelledby=${heading}>
    <h2 id=${heading}>
      ${count === 1 ? 'Jobs' : index === 0 ? 'First' : 'Then'} <span class="count">${jobs}</span>
    </h2>
    <ul aria-labelledby=${heading}>
      ${repeat(
        cards,
        ({ id }) => id,
        (card) => planCard(card, context),
      )}
    </ul>
  </section>`;
}
