import { l10n, ProgressLocation, window } from 'vscode';
import type { Services } from '../platform/services.ts';

/**
 * Asks the vendors anew, one kind after another, and shows each answer as it comes. Cancel asks no further kind; what
 * is under way is short, and its answer is still taken.
 */
export async function refreshUsage(services: Services): Promise<void> {
  services.requireTrust();
  const { accounts } = services;
  await accounts.load();
  const kinds = [...new Set((accounts.accounts ?? []).map(({ kind }) => kind))];
  const options = {
    location: ProgressLocation.Notification,
    title: l10n.t('Refreshing usage'),
    cancellable: true,
  };
  await window.withProgress(options, async (progress, token) => {
    const cancelled = new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
    for (const kind of kinds) {
      if (token.isCancellationRequested) return;
      progress.report({ message: kind, increment: 100 / kinds.length });
      await Promise.race([accounts.refresh(kind), cancelled]);
    }
  });
}
