import { html, nothing, type TemplateResult } from 'lit';
import type { BoardSnapshot } from '../../src/protocol/boardMessages.ts';
import { icon } from './icon.ts';

const sources: Record<string, string> = {
  plan: 'from the plan',
  'agentkit.yaml': 'from agentkit.yaml',
  detected: 'detected in the repository',
};

/** The checks that decide whether a lane passes. */
export function gate({ gate: checks, gateSource, problems }: BoardSnapshot): TemplateResult | typeof nothing {
  if (checks.length === 0 && problems.length > 0) return nothing;
  if (checks.length === 0) {
    return html`<section class="strip-group" aria-labelledby="gate">
      <h2 id="gate">Gate</h2>
      <p class="notice">
        ${icon('warning', 'tone-warn')}No checks: nothing can pass. Add a gate to the plan or to
        agentkit.yaml.
      </p>
    </section>`;
  }
  return html`<section class="strip-group" aria-labelledby="gate">
    <h2 id="gate">Gate <span class="muted">${sources[gateSource] ?? gateSource}</span></h2>
    <ul class="gate-checks" aria-labelledby="gate">
      ${checks.map(
        ({ name, run }) =>
          html`<li>${icon('beaker', 'tone-muted')}<span>${name}</span><code>${run.trim()}</code></li>`,
      )}
    </ul>
  </section>`;
}
