import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { icon } from './icon.ts';

const marks: Record<string, { icon: string; tone: string }> = {
  passed: { icon: 'pass-filled', tone: 'tone-good' },
  failed: { icon: 'error', tone: 'tone-bad' },
  timeout: { icon: 'clockface', tone: 'tone-bad' },
  interrupted: { icon: 'debug-disconnect', tone: 'tone-warn' },
  running: { icon: 'loading codicon-modifier-spin', tone: 'tone-active' },
};

/** One check of the gate: mark, name and word. */
export function checkMark(check: BoardCard['checks'][number]): TemplateResult {
  const mark = marks[check.status] ?? { icon: 'circle-large-outline', tone: 'tone-muted' };
  return html`<li class="check">
    ${icon(mark.icon, mark.tone)}<span class="check-name">${check.name}</span>
    <span class="muted">${check.status}</span>
  </li>`;
}
