import { html, nothing, type TemplateResult } from 'lit';
import type { BoardSnapshot } from '../../src/protocol/boardMessages.ts';
import { button } from '../shared/controls.ts';
import { formatSpan } from '../time.ts';
import { accounts } from './accounts.ts';
import type { BoardContext } from './boardContext.ts';
import { gate } from './gate.ts';
import { icon } from './icon.ts';
import { startButton } from './startButton.ts';

/** The head of the board: what is run, on what, by whom, and what will decide. */
export function strip(context: BoardContext): TemplateResult {
  const { snapshot, details, intents } = context;
  return html`<header class="strip">
    <div class="strip-title">
      <h1>${snapshot.title}</h1>
      <span class="status">${snapshot.status}</span>
      ${branches(snapshot)} ${runTime(context)}
      <span class="fact">${icon('organization')}${writers(snapshot)}</span>
      ${asking(snapshot)}
      <div class="strip-actions">
        ${button({
          label: details ? 'Hide Gate and Accounts' : 'Show Gate and Accounts',
          appearance: 'icon',
          icon: details ? 'chevron-up' : 'chevron-down',
          onClick: () => intents.toggleDetails(),
        })}
        ${(snapshot.actions ?? []).map(({ id, label }) =>
          button({
            label,
            appearance: 'secondary',
            onClick: () => intents.send({ type: 'runAction', action: id }),
          }),
        )}
        ${button({
          label: snapshot.mode === 'preview' ? 'Open YAML' : 'Open Plan',
          appearance: 'secondary',
          onClick: () => intents.send({ type: 'openSource' }),
        })}
        ${startButton(context)}
      </div>
    </div>
    ${(snapshot.baseNotes?.warnings ?? []).map(
      (warning) => html`<p class="notice">${icon('warning', 'tone-warn')}${warning}</p>`,
    )}
    ${details ? html`<div class="strip-details">${gate(snapshot)}${accounts(context)}</div>` : nothing}
  </header>`;
}

/** Empty while the plan cannot be read. */
function branches({ base, target, baseNotes }: BoardSnapshot): TemplateResult | typeof nothing {
  if (base === '') return nothing;
  const how = baseNotes === undefined ? '' : `: ${baseNotes.how}`;
  return html`<span class="fact" title="Lanes start from ${base}${how}, and are merged into ${target}"
    >${icon('git-branch')}<span class="visually-hidden">From</span>${base} ${icon('arrow-right')}<span
      class="visually-hidden"
      >into</span
    >${target}</span
  >`;
}

/** Before the start how many may write at once, in a run how many do. */
function writers({ mode, writers: count }: BoardSnapshot): string {
  const number = count === 0 ? 'no' : String(count);
  const noun = count === 1 ? 'writer' : 'writers';
  return `${number} ${noun} ${mode === 'preview' ? 'at once' : 'now'}`;
}

/** Without it agents work without asking. */
function asking({ askedBy = [] }: BoardSnapshot): TemplateResult | typeof nothing {
  if (askedBy.length === 0) return nothing;
  return html`<span class="fact">${icon('question')}agents ask (said by ${askedBy.join(', ')})</span>`;
}

function runTime({ snapshot, now }: BoardContext): TemplateResult | typeof nothing {
  const { startedAt, endedAt } = snapshot;
  if (startedAt === null) return nothing;
  const end = endedAt === undefined || endedAt === null ? now : Date.parse(endedAt);
  return html`<span class="fact" title="Run time"
    >${icon('clockface')}<span class="visually-hidden">Run time</span
    ><time datetime=${startedAt}>${formatSpan(end - Date.parse(startedAt))}</time></span
  >`;
}
