import type { ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

/** The row above the accounts of one kind of agent. */
export function kindItem(kind: string, accounts: number, { t }: Render): ItemView {
  return {
    id: `kind ${kind}`,
    label: kind,
    description: accounts === 1 ? t('1 account') : t('{0} accounts', accounts),
    tooltip: t('Accounts of {0}', kind),
    icon: { id: 'organization' },
    words: ['kind'],
    children: 'open',
  };
}
