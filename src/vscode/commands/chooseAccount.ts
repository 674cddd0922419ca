import { CancellationError, env, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Services } from '../platform/services.ts';
import type { AccountView } from '../stores/accountView.ts';
import { describeAccount } from '../stores/describeAccount.ts';
import { accountArgument } from './laneArgument.ts';

export interface AccountQuestion {
  title: string;
  fits: (account: AccountView) => boolean;
  /** Said when there is no such account. */
  none: string;
}

/**
 * The account that an argument names, else the one that the person picks among those that fit. Looks anew at what
 * this machine knows, and contacts no vendor.
 * @throws AgentKitError `refused` before trust, `not_found` when there is none; CancellationError
 */
export async function chooseAccount(
  services: Pick<Services, 'accounts' | 'requireTrust'>,
  argument: unknown,
  { title, fits, none }: AccountQuestion,
): Promise<AccountView> {
  services.requireTrust();
  await services.accounts.load();
  const name = accountArgument(argument);
  if (name !== undefined) {
    const account = services.accounts.account(name);
    if (!account) throw new AgentKitError('not_found', l10n.t('There is no account {0} any more.', name));
    if (!fits(account)) throw new AgentKitError('usage', none);
    return account;
  }
  const fitting = (services.accounts.accounts ?? []).filter(fits);
  if (fitting.length === 0) throw new AgentKitError('not_found', none);
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  const items = fitting.map((account) => ({
    label: account.name,
    description: describeAccount(account, render),
    account,
  }));
  const picked = await window.showQuickPick(items, { title, matchOnDescription: true });
  if (!picked) throw new CancellationError();
  return picked.account;
}
