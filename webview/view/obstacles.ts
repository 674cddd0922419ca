import { html, nothing, type TemplateResult } from 'lit';
import type { BoardSnapshot } from '../../src/protocol/boardMessages.ts';
import { button } from '../shared/controls.ts';
import type { BoardContext } from './boardContext.ts';
import { cardLink } from './cardLink.ts';
import { icon } from './icon.ts';

export const whyNotId = 'why-not';

/** Everything that keeps the plan from starting: errors in the file, overlapping writers, other reasons. */
export function obstacles(context: BoardContext): TemplateResult | typeof nothing {
  const { start, overlaps, problems } = context.snapshot;
  if ((start?.whyNot.length ?? 0) + overlaps.length + problems.length === 0) return nothing;
  return html`<section class="obstacles" aria-labelledby="obstacles">
    <h2 id="obstacles">${icon('error', 'tone-bad')}Cannot start yet</h2>
    <ul id=${whyNotId}>
      ${problems.map((problem) => html`<li class="obstacle">${problemLine(problem, context)}</li>`)}
      ${overlaps.map((overlap) => html`<li class="obstacle">${overlapLine(overlap, context)}</li>`)}
      ${otherReasons(context.snapshot).map((reason) => html`<li class="obstacle">${reason}</li>`)}
    </ul>
  </section>`;
}

/** Reasons that neither a problem nor an overlap above them tells in more detail. */
function otherReasons({ start, overlaps, problems }: BoardSnapshot): string[] {
  const told = [
    ...problems.map(({ line, column, message }) => [`${line}:${column}`, message]),
    ...overlaps.map(({ a, b, globA, globB }) => [a, b, globA, globB]),
  ];
  const isTold = (reason: string) => told.some((parts) => parts.every((part) => reason.includes(part)));
  return (start?.whyNot ?? []).filter((reason) => !isTold(reason));
}

function overlapLine(overlap: BoardSnapshot['overlaps'][number], context: BoardContext): TemplateResult {
  return html`${cardLink(overlap.a, overlap.a, context)}<code>${overlap.globA}</code>
    <span>overlaps</span>
    ${cardLink(overlap.b, overlap.b, context)}<code>${overlap.globB}</code> ${
      overlap.example === undefined
        ? nothing
        : html`<span>· both match <code>${overlap.example}</code></span>`
    }`;
}

function problemLine(
  { line, column, message }: BoardSnapshot['problems'][number],
  { intents }: BoardContext,
): TemplateResult {
  return html`${button({
      label: `Line ${line}:${column}`,
      name: `Line ${line}:${column}, open the plan there`,
      appearance: 'secondary',
      onClick: () => intents.send({ type: 'openSource', line, column }),
    })}<span>${message}</span>`;
}
