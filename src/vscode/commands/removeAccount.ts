import { CancellationError, l10n, window } from 'vscode';
import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import type { AccountView } from '../stores/accountView.ts';

/**
 * Deletes the folder of an account, after saying what goes with it.
 * @throws AgentKitError `conflict` while it is in use; CancellationError
 */
export async function removeAccount(
  { accounts, desk }: Pick<Services, 'accounts' | 'desk'>,
  account: AccountView,
): Promise<void> {
  if (account.heldBy.length > 0) {
    throw new AgentKitError(
      'conflict',
      l10n.t('{0} is in use. Wait until that has ended, then remove it.', account.name),
    );
  }
  const remove = l10n.t('Remove');
  const detail = l10n.t(
    'This deletes the folder {0} for good: its login, settings and sessions on this machine. The account at the vendor stays as it is.',
    account.folder ?? '',
  );
  const answer = await window.showWarningMessage(
    plainMessage(l10n.t('Remove the account {0}?', account.name)),
    { modal: true, detail },
    remove,
  );
  if (answer !== remove) throw new CancellationError();
  const { kind, profile } = parseAccount(account.name);
  await desk().removeProfile(kind, profile);
  await accounts.load();
}
