import { html, nothing, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { button } from '../shared/controls.ts';
import type { BoardContext } from './boardContext.ts';

/** Only where a decision is due is the first action drawn as the primary one: ten running cards stay calm. */
const decisions: ReadonlySet<string> = new Set(['needsYou', 'review', 'ready']);
const shown = 2;

/** The first actions as buttons; the menu has them all. */
export function cardActions(card: BoardCard, { intents }: BoardContext): TemplateResult {
  const isDue = decisions.has(card.column) && card.state !== 'merging';
  const buttons = card.actions.slice(0, shown).map((action, index) =>
    button({
      label: action.label,
      name: `${action.label}: ${card.id}`,
      appearance: index === 0 && isDue ? 'primary' : 'secondary',
      tabStop: false,
      onClick: () => intents.send({ type: 'action', card: card.id, action: action.id }),
    }),
  );
  return buttons.length === 0 ? html`${nothing}` : html`<div class="card-actions">${buttons}</div>`;
}

export function menuButton(card: BoardCard, { intents }: BoardContext): TemplateResult {
  return button({
    label: 'More Actions…',
    name: `More actions: ${card.id}`,
    appearance: 'icon',
    icon: 'ellipsis',
    tabStop: false,
    onClick: (event) => intents.openMenu(card.id, event.currentTarget as Element),
  });
}
