import {
  CancellationError,
  env,
  l10n,
  ProgressLocation,
  QuickPickItemKind,
  window,
  type QuickPickItem,
} from 'vscode';
import { formatAccount } from '../../core/accounts/account.ts';
import type { AccountDesk } from '../../engine/agentKit.ts';
import { formatMoment } from '../platform/formatTime.ts';
import type { Render } from '../platform/render.ts';
import type { Services } from '../platform/services.ts';

type PickAnswer = Awaited<ReturnType<AccountDesk['pick']>>;

interface AccountItem extends QuickPickItem {
  account?: string;
}

/**
 * Shows which accounts would be picked, best first, and why not the others. Returns the one that the person chooses.
 * @throws AgentKitError, CancellationError
 */
export async function pickAccount(services: Services): Promise<string> {
  services.requireTrust();
  const looking = { location: ProgressLocation.Window, title: l10n.t('Looking at the accounts') };
  const answer = await window.withProgress(looking, async () => services.desk().pick({ count: Infinity }));
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  const picked = await window.showQuickPick(accountItems(answer, render), {
    title: l10n.t('Pick Account: best first'),
    placeHolder: l10n.t('Choose one to open a terminal as it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.account === undefined) throw new CancellationError();
  return picked.account;
}

/** The rows of the answer; an account that would not be picked says why. */
export function accountItems({ chosen, rejected }: PickAnswer, render: Render): AccountItem[] {
  const { t } = render;
  const [best, ...others] = chosen.map((each) => {
    const account = formatAccount(each);
    const window = each.binding_window;
    const resets = each.resets_at === null ? '' : formatMoment(each.resets_at, render);
    const which = window === null || resets === '' ? '' : t(' · {0} resets {1}', window, resets);
    return { label: account, description: `${Math.floor(each.headroom_pct)} %${which}`, account };
  });
  const rows = (label: string, items: AccountItem[]): AccountItem[] =>
    items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
  return [
    ...rows(t('would be picked'), best ? [best] : []),
    ...rows(t('next'), others),
    ...rows(
      t('would not be picked'),
      rejected.map((each) => {
        const account = formatAccount(each);
        const again =
          each.resets_at === undefined ? '' : t(' · resets {0}', formatMoment(each.resets_at, render));
        return { label: account, detail: `${each.reason}${again}`, account };
      }),
    ),
  ];
}
