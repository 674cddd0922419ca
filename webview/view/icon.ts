import { html, type TemplateResult } from 'lit';

/** A codicon that only decorates: the word beside it says the same. */
export function icon(name: string, tone = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${tone}" aria-hidden="true"></span>`;
}
