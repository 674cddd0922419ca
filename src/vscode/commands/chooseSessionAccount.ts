import { l10n } from 'vscode';
import type { Services } from '../platform/services.ts';
import { chooseAccount } from './chooseAccount.ts';

/** What is said when no account has a screen. */
export const noScreen = () =>
  l10n.t('There is no account of an agent that has a screen of its own. Add one in Accounts.');

/** The account of a new session, as `kind/@profile`. @throws as `chooseAccount` */
export async function chooseSessionAccount(services: Services): Promise<string> {
  const { name } = await chooseAccount(services, undefined, {
    title: l10n.t('Agent Session: which account?'),
    fits: ({ hasScreen }) => hasScreen,
    none: noScreen(),
  });
  return name;
}
