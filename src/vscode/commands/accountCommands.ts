import { env, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountCommandId, ViewId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import type { CommandTable } from './commandTable.ts';
import { accountArgument } from './laneArgument.ts';

export function accountCommands(services: Services): CommandTable<AccountCommandId> {
  return {
    'agentkit.account.refreshUsage': async () => {
      services.requireTrust();
      const viewId: ViewId = 'agentkit.accounts';
      await window.withProgress({ location: { viewId } }, () => services.accounts.refresh());
    },
    'agentkit.account.copyName': async (argument) => {
      const account = accountArgument(argument);
      if (account === undefined)
        throw new AgentKitError('usage', l10n.t('Copy a name from a row of Accounts.'));
      await env.clipboard.writeText(account.slice(account.indexOf('/') + 1));
    },
  };
}
