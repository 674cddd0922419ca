import { html, type TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import type { BoardContext } from './boardContext.ts';

/** Which account the plan asks for: any, any of one kind, or one by name. */
export function accountChoice(card: BoardCard, { snapshot, intents }: BoardContext): TemplateResult {
  const { kind = null, account = null } = card.wants ?? {};
  const names = new Set(snapshot.accounts.map(({ name }) => name));
  const kinds = new Set([...names].map((name) => name.split('/')[0] ?? name));
  if (account !== null) names.add(account);
  if (kind !== null) kinds.add(kind);
  const choose = (event: Event) => {
    const { value: chosen } = event.currentTarget as HTMLSelectElement;
    const field = chosen.startsWith('kind:') ? 'kind' : 'account';
    intents.send({ type: 'edit', job: card.id, field, value: chosen.slice(field.length + 1) });
  };
  const planned = account !== null ? `account:${account}` : kind !== null ? `kind:${kind}` : 'account:';
  const option = (value: string, label: string) =>
    html`<option value=${value} .selected=${value === planned}>${label}</option>`;
  return html`<label class="choice"
    >Account
    <select @change=${choose}>
      ${option('account:', 'Any account')}
      ${[...kinds].map((each) => option(`kind:${each}`, `Any ${each} account`))}
      ${[...names].map((each) => option(`account:${each}`, each))}
    </select>
  </label>`;
}
