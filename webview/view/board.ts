import { html, type TemplateResult } from 'lit';
import type { BoardContext } from './boardContext.ts';
import { preview } from './preview.ts';
import { runBoard } from './runBoard.ts';
import { strip } from './strip.ts';

/** The whole page. */
export function board(context: BoardContext): TemplateResult {
  const run = context.snapshot.mode === 'run';
  return html`${strip(context)}
    <main class="board" aria-label=${run ? 'Lanes' : 'Plan'}>
      ${context.snapshot.cards.length === 0 ? html`<p class="empty">There is no job to show.</p>` : ''}
      ${run ? runBoard(context) : preview(context)}
    </main>
    <p class="hint" aria-hidden="true">
      <kbd>${run ? '↑ ↓ ← →' : '↑ ↓'}</kbd> move · <kbd>Enter</kbd> ${run ? 'first action' : 'edit'} ·
      ${run ? html`<kbd>Space</kbd> details ·` : ''} <kbd>Shift+F10</kbd> all actions
    </p>`;
}
