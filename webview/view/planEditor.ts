import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import type { TextField } from '../drafts.ts';
import { textArea } from '../shared/controls.ts';
import { accountChoice } from './accountChoice.ts';
import type { BoardContext } from './boardContext.ts';

/** The fields of an open card; each is written into the YAML when it is left, or with Ctrl+Enter. */
export function planEditor(card: BoardCard, context: BoardContext): TemplateResult {
  const field = (name: TextField, label: string, rows: number) =>
    textArea({
      label,
      rows,
      value: context.text(card, name),
      onInput: (value) => context.intents.type(card, name, value),
      onCommit: () => context.intents.commit(card.id, name),
    });
  return html`<div class="plan-editor" role="group" aria-label="Edit ${card.id}">
    ${field('prompt', 'Prompt', 5)}
    <div class="plan-editor-side">
      ${field('paths', 'May write (one path or glob a line)', 3)} ${accountChoice(card, context)}
      <p class="muted">Ctrl+Enter keeps the change, Escape drops it.</p>
    </div>
  </div>`;
}
