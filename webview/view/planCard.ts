import { html, nothing, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { button } from '../shared/controls.ts';
import { formatReset } from '../time.ts';
import type { BoardContext } from './boardContext.ts';
import { menuButton } from './cardActions.ts';
import { cardFrame } from './cardFrame.ts';
import { cardLink } from './cardLink.ts';
import { icon } from './icon.ts';
import { freeText, meter } from './meter.ts';
import { pathChips } from './pathChips.ts';
import { planEditor } from './planEditor.ts';

/** A job of a plan that has not started: what it will do, where, and under which account. */
export function planCard(card: BoardCard, context: BoardContext): TemplateResult {
  const open = context.open.has(card.id);
  const meets = overlapsOf(card.id, context);
  return cardFrame(
    card,
    context,
    meets.length > 0 ? 'plan-card card-refused' : 'plan-card',
    html`
      <div class="plan-row">
        <div class="plan-what">
          <div class="card-head">
            <h3 class="card-id">${card.id}</h3>
            ${card.title === card.id ? nothing : html`<span class="card-title">${card.title}</span>`}
          </div>
          ${open ? nothing : promptText(card)}
          <p class="chips">
            ${open ? nothing : pathChips(card)}
            ${card.after.map((id) => cardLink(id, `after ${id}`, context))}
            ${meets.map((id) => cardLink(id, html`${icon('error', 'tone-bad')}overlaps ${id}`, context))}
          </p>
        </div>
        <div class="plan-who">${picked(card, context.now)}</div>
        <div class="card-tools">
          ${button({
            label: open ? 'Done' : 'Edit',
            name: open ? `Done editing: ${card.id}` : `Edit: ${card.id}`,
            appearance: 'secondary',
            tabStop: false,
            onClick: () => context.intents.toggleCard(card.id),
          })}${menuButton(card, context)}
        </div>
      </div>
      ${open ? planEditor(card, context) : nothing}
    `,
  );
}

function overlapsOf(job: string, { snapshot }: BoardContext): string[] {
  const others = snapshot.overlaps.flatMap(({ a, b }) => (a === job ? [b] : b === job ? [a] : []));
  return [...new Set(others)];
}

/** The prompt's words, without the line that already stands as the title and the code that Edit shows. */
function promptText(card: BoardCard): TemplateResult | typeof nothing {
  const [words = ''] = card.prompt.split(/^ *(?:```|~~~)/m, 1);
  const prompt = words.trim();
  const rest = prompt.startsWith(card.title) ? prompt.slice(card.title.length).trim() : prompt;
  return rest === '' ? nothing : html`<p class="prompt prompt-short">${rest}</p>`;
}

function picked(card: BoardCard, now: number): TemplateResult {
  const [why = card.state, ...more] = card.reasons;
  if (card.account === null) {
    return html`<p class="card-line plan-waits">${icon('clockface', 'tone-muted')}<span>${why}</span></p>
      ${more.map((reason) => html`<p class="muted">${reason}</p>`)}`;
  }
  return html`<div class="account-line">
      <span class="ellipsis account-name" title=${card.account}>${card.account}</span>
      <span>${freeText(card.headroomPct)}</span>
    </div>
    ${meter(card.headroomPct ?? 0)}
    ${card.resetsAt === null ? nothing : html`<p class="muted">resets ${formatReset(card.resetsAt, now)}</p>`}
    ${card.reasons.map((reason) => html`<p class="muted">${reason}</p>`)}`;
}
