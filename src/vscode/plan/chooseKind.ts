import { CancellationError, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Services } from '../platform/services.ts';

/**
 * The kind of agent for all pieces: the only one there is, else the one that the person picks.
 * @throws AgentKitError `not_found` without any account; CancellationError
 */
export async function chooseKind(services: Services): Promise<string> {
  await services.accounts.loadOnce();
  const kinds = [...new Set((services.accounts.accounts ?? []).map(({ kind }) => kind))].toSorted();
  const [only] = kinds;
  if (only === undefined) {
    throw new AgentKitError(
      'not_found',
      l10n.t('There is no account yet that could do the work. See the Accounts view.'),
    );
  }
  if (kinds.length === 1) return only;
  const picked = await window.showQuickPick(kinds, { title: l10n.t('Which agent does the work?') });
  if (picked === undefined) throw new CancellationError();
  return picked;
}
