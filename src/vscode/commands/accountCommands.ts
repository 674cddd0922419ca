import { CancellationError, env, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountCommandId, MachineCommandId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import type { AccountView } from '../stores/accountView.ts';
import { addAccount } from './addAccount.ts';
import { chooseAccount } from './chooseAccount.ts';
import { noScreen } from './chooseSessionAccount.ts';
import type { CommandTable } from './commandTable.ts';
import { giveConsent } from './giveConsent.ts';
import { accountArgument } from './laneArgument.ts';
import { logIn, type LoginTerminals } from './logIn.ts';
import { pickAccount } from './pickAccount.ts';
import { refreshUsage } from './refreshUsage.ts';
import { showDoctor } from './showDoctor.ts';
import { removeAccount } from './removeAccount.ts';

/** Where vendors' own programs are shown. */
export interface AgentTerminals extends LoginTerminals {
  open(account: string, resume?: 'last' | 'choose'): Promise<unknown>;
}

export function accountCommands(
  services: Services,
  terminals: AgentTerminals,
): CommandTable<AccountCommandId | MachineCommandId> {
  const withAccount =
    (
      title: string,
      fits: (account: AccountView) => boolean,
      none: string,
      act: (account: AccountView) => unknown,
    ) =>
    async (argument: unknown) =>
      act(await chooseAccount(services, argument, { title, fits, none }));
  const hasScreen = ({ hasScreen }: AccountView) => hasScreen;
  return {
    'agentkit.account.refreshUsage': () => refreshUsage(services),
    'agentkit.doctor.show': () => showDoctor(services),
    'agentkit.consent.give': () => giveConsent(services),
    'agentkit.account.add': () => addAccount(services, terminals),
    'agentkit.account.pick': async () => {
      const name = await pickAccount(services);
      const account = await chooseAccount(services, name, { title: '', fits: () => true, none: '' });
      if (account.hasScreen) return terminals.open(name);
      throw new AgentKitError('usage', l10n.t('{0} has no screen of its own: a plan gives it work.', name));
    },
    'agentkit.account.openTerminal': withAccount(
      l10n.t('Open Terminal as Which Account?'),
      hasScreen,
      noScreen(),
      ({ name }) => terminals.open(name),
    ),
    'agentkit.account.resumeSession': withAccount(
      l10n.t('Resume a Session of Which Account?'),
      hasScreen,
      noScreen(),
      async ({ name }) => terminals.open(name, await askWhichSession()),
    ),
    'agentkit.account.logIn': withAccount(
      l10n.t('Log In to Which Account?'),
      ({ logsIn }) => logsIn,
      l10n.t('There is no account of an agent that has a login. Add one in Accounts.'),
      ({ name }) => logIn(services, terminals, name),
    ),
    'agentkit.account.exclude': withAccount(
      l10n.t('Keep Which Account Out of Picks?'),
      ({ reading }) => reading.excluded !== true,
      l10n.t('Every account is excluded already.'),
      ({ name }) => services.accounts.setExcluded(name, true),
    ),
    'agentkit.account.include': withAccount(
      l10n.t('Let Picks Take Which Account Again?'),
      ({ reading }) => reading.excluded === true,
      l10n.t('No account is excluded.'),
      ({ name }) => services.accounts.setExcluded(name, false),
    ),
    'agentkit.account.remove': withAccount(
      l10n.t('Remove Which Account?'),
      ({ folder }) => folder !== null,
      l10n.t("There is no account to remove: a CLI's own home stays."),
      (account) => removeAccount(services, account),
    ),
    'agentkit.account.copyName': async (argument) => {
      const account = accountArgument(argument);
      if (account === undefined)
        throw new AgentKitError('usage', l10n.t('Copy a name from a row of Accounts.'));
      await env.clipboard.writeText(account.slice(account.indexOf('/') + 1));
    },
  };
}

/** @throws CancellationError */
async function askWhichSession(): Promise<'last' | 'choose'> {
  const items = [
    {
      label: l10n.t('The Last One'),
      description: l10n.t('the newest of this folder'),
      resume: 'last' as const,
    },
    {
      label: l10n.t('Choose…'),
      description: l10n.t("on the vendor's own screen"),
      resume: 'choose' as const,
    },
  ];
  const picked = await window.showQuickPick(items, { title: l10n.t('Resume Which Session?') });
  if (!picked) throw new CancellationError();
  return picked.resume;
}
