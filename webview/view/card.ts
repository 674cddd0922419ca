import { html, nothing, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { columns } from '../columns.ts';
import { formatSpan } from '../time.ts';
import type { BoardContext } from './boardContext.ts';
import { cardActions, menuButton } from './cardActions.ts';
import { cardDetails } from './cardDetails.ts';
import { cardFrame } from './cardFrame.ts';
import { cardLink } from './cardLink.ts';
import { checkMark } from './checkMark.ts';
import { freeText } from './meter.ts';
import { stateIcon } from './stateIcon.ts';

/** A lane on a run's board. */
export function card(card: BoardCard, context: BoardContext): TemplateResult {
  const open = context.open.has(card.id);
  return cardFrame(
    card,
    context,
    `card-${card.column}`,
    html`
      <div class="card-head">
        ${stateIcon(card)}
        <h3 class="card-id">${card.id}</h3>
        <span class="card-state ellipsis">${stateBesideColumn(card)}</span>
        ${elapsed(card, context.now)}
      </div>
      ${card.title === card.id ? nothing : html`<p class="card-title">${card.title}</p>`}
      ${card.account === null ? nothing : account(card)} ${activity(card)} ${outcome(card)} ${reasons(card)}
      ${
        card.after.length === 0
          ? nothing
          : html`<p class="chips">${card.after.map((id) => cardLink(id, `after ${id}`, context))}</p>`
      }
      ${open ? cardDetails(card) : nothing}
      <div class="card-foot">
        ${cardActions(card, context)}
        <div class="card-tools">${menuButton(card, context)}</div>
      </div>
    `,
  );
}

/** The state's word where the column's name does not already say it. */
function stateBesideColumn(card: BoardCard): string {
  return columns.some(
    ({ id, label }) => id === card.column && label.toLowerCase() === card.state.toLowerCase(),
  )
    ? ''
    : card.state;
}

function elapsed(card: BoardCard, now: number): TemplateResult | typeof nothing {
  if (card.since === null) return nothing;
  return html`<time class="card-time" datetime=${card.since}
    >${formatSpan(now - Date.parse(card.since))}</time
  >`;
}

function account(card: BoardCard): TemplateResult {
  return html`<p class="card-line">
    <span class="ellipsis" title=${card.account ?? ''}>${card.account}</span>
    <span class="muted">${freeText(card.headroomPct)}</span>
  </p>`;
}

function activity(card: BoardCard): TemplateResult | typeof nothing {
  if (card.activity === null) return nothing;
  return html`<p class="card-line card-activity" title=${card.activity}>
    <span class="ellipsis">${card.activity}</span>
  </p>`;
}

function outcome(card: BoardCard): TemplateResult | typeof nothing {
  const { changes, checks } = card;
  if (changes === null && checks.length === 0) return nothing;
  return html`<div class="card-outcome">
    ${
      changes === null
        ? nothing
        : html`<span class="changes"
            >${changes.files} ${changes.files === 1 ? 'file' : 'files'} <ins>+${changes.insertions}</ins>
            <del>−${changes.deletions}</del></span
          >`
    }
    ${
      checks.length === 0
        ? nothing
        : html`<ul class="checks">
            ${checks.map(checkMark)}
          </ul>`
    }
  </div>`;
}

function reasons(card: BoardCard): TemplateResult | typeof nothing {
  if (card.reasons.length === 0) return nothing;
  return html`<ul class="card-reasons">
    ${card.reasons.map((reason) => html`<li>${reason}</li>`)}
  </ul>`;
}
