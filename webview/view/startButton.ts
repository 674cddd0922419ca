import { html, nothing, type TemplateResult } from 'lit';
import type { BoardContext } from './boardContext.ts';
import { icon } from './icon.ts';
import { whyNotId } from './obstacles.ts';

/**
 * Starts the run. A plain button: a description by id does not reach into the toolkit's shadow tree, and
 * a refused Start stays focusable so that its reasons can be heard.
 */
export function startButton({ snapshot, intents }: BoardContext): TemplateResult | typeof nothing {
  if (snapshot.start === null) return nothing;
  const refused = snapshot.start.whyNot.length > 0;
  return html`<button
    class="start"
    type="button"
    aria-disabled=${String(refused)}
    aria-describedby=${refused ? whyNotId : nothing}
    @click=${() => {
      if (!refused) intents.send({ type: 'start' });
    }}
  >
    ${icon(refused ? 'circle-slash' : 'play')}Start
  </button>`;
}
