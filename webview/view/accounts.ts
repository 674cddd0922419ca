import { html, nothing, type TemplateResult } from 'lit';
import type { BoardSnapshot } from '../../src/protocol/boardMessages.ts';
import { formatReset, formatResetMoment } from '../time.ts';
import type { BoardContext } from './boardContext.ts';
import { cardLink } from './cardLink.ts';
import { icon } from './icon.ts';
import { freeText, meter } from './meter.ts';

type Account = BoardSnapshot['accounts'][number];

const troubles: Record<string, { word: string; icon: string }> = {
  rate_limited: { word: 'limit reached', icon: 'circle-slash' },
  not_logged_in: { word: 'not logged in', icon: 'sign-in' },
  unknown: { word: 'could not be read', icon: 'question' },
};

/** Every account of the pool with what is left of it, when it resets, and who uses it. */
export function accounts(context: BoardContext): TemplateResult {
  const { accounts: list } = context.snapshot;
  return html`<section class="strip-group strip-accounts" aria-labelledby="accounts">
    <h2 id="accounts">Accounts</h2>
    ${
      list.length === 0
        ? html`<p class="notice">${icon('warning', 'tone-warn')}No account qualifies.</p>`
        : html`<ul class="accounts" aria-labelledby="accounts">
            ${list.map((account) => tile(account, context))}
          </ul>`
    }
  </section>`;
}

function tile(account: Account, context: BoardContext): TemplateResult {
  const trouble = troubles[account.status];
  const resets = reset(account, (at) => formatResetMoment(at, context.now));
  const inFull = reset(account, (at) => formatReset(at, context.now));
  return html`<li class="account">
    <div class="account-line">
      <span class="ellipsis account-name" title=${account.name}>${account.name}</span>
      ${
        trouble === undefined
          ? html`<span>${freeText(account.headroomPct)}</span>`
          : html`<span class="account-trouble">${icon(trouble.icon, 'tone-warn')}${trouble.word}</span>`
      }
    </div>
    ${meter(account.headroomPct ?? 0)}
    <div class="account-line muted">
      <span class="ellipsis" title=${inFull}>${resets}</span>
      ${account.usedBy === null ? nothing : cardLink(account.usedBy, account.usedBy, context)}
    </div>
  </li>`;
}

/** What stands in the tile; its tooltip tells how long that is. */
function reset(account: Account, when: (resetsAt: string) => string): string {
  if (account.resetsAt === null) return account.status === 'ok' ? 'not started' : '';
  return `${account.window ?? ''} resets ${when(account.resetsAt)}`.trim();
}
