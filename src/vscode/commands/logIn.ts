import { commands, l10n } from 'vscode';
import { parseAccount } from '../../core/accounts/account.ts';
import type { CommandId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';

export interface LoginTerminals {
  /** Resolves with the exit code when the terminal has ended; undefined when it was closed. */
  logIn(account: string): Promise<number | undefined>;
}

/**
 * The vendor's own login in a terminal, then a look at what its CLI says, which contacts no vendor. Whatever happened,
 * the account stays and the person is told how to go on.
 */
export async function logIn(
  { accounts, desk, notify }: Pick<Services, 'accounts' | 'desk' | 'notify'>,
  terminals: LoginTerminals,
  account: string,
): Promise<void> {
  const code = await terminals.logIn(account);
  const { kind, profile } = parseAccount(account);
  const probe = await desk().probe(kind, profile);
  if (probe === null) return accounts.load();
  const { login, problem } = probe;
  await accounts.noteLogin(account, { status: login, ...(problem !== undefined && { problem }) });
  const act = (label: string, id: CommandId) => ({
    label,
    run: () => commands.executeCommand(id, { account }),
  });
  if (login === 'ok') {
    notify.info(
      l10n.t('{0} is logged in. Refresh Usage asks the vendor what is left of it.', account),
      act(l10n.t('Refresh Usage'), 'agentkit.account.refreshUsage'),
    );
    return;
  }
  const failed = code === undefined || code === 0 ? '' : l10n.t(' The login ended with exit code {0}.', code);
  notify.warn(
    login === 'not_logged_in'
      ? l10n.t(
          '{0} is not logged in yet.{1} Its folder stays: log in when you like, or remove it.',
          account,
          failed,
        )
      : l10n.t('Whether {0} is logged in is not known.{1} {2}', account, failed, problem ?? ''),
    act(l10n.t('Log In Again'), 'agentkit.account.logIn'),
    act(l10n.t('Remove…'), 'agentkit.account.remove'),
  );
}
