import { html, type TemplateResult } from 'lit';
import { columns } from '../columns.ts';
import type { BoardContext } from './boardContext.ts';
import { column } from './column.ts';

/** The live board of a run: one column a state. */
export function runBoard(context: BoardContext): TemplateResult {
  return html`<div class="columns">${columns.map((each) => column(each, context))}</div>`;
}
