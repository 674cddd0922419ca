import { CancellationError, l10n, window } from 'vscode';
import type { Services } from '../platform/services.ts';
import { formatBytes } from '../platform/formatBytes.ts';

/** Lists what lanes left running, and ends what the person leaves chosen. */
export async function stopOrphans(services: Services): Promise<void> {
  services.requireTrust();
  const { lanes } = await services.kit();
  const orphans = await lanes.orphans();
  if (orphans.length === 0) {
    services.notify.info(l10n.t('No process of a lane was left behind.'));
    return;
  }
  const items = orphans.map((orphan) => {
    const { pid, lane, command, ports, rss_bytes } = orphan;
    const uses = [formatBytes(rss_bytes), ports.length > 0 && l10n.t('port {0}', ports.join(', '))];
    return {
      label: l10n.t('{0}: process {1}', lane, pid),
      description: uses.filter(Boolean).join(' · '),
      detail: command,
      picked: true,
      orphan,
    };
  });
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Stop Which Processes?'),
    placeHolder: l10n.t('Lanes left them running, and no agent or check needs them'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.length === 0) throw new CancellationError();
  const results = await lanes.stopOrphans(chosen.map(({ orphan }) => orphan));
  const refused = results.filter(({ result }) => result === 'refused');
  for (const { pid, why } of refused) services.log.warn(`process ${pid} was not stopped: ${why ?? ''}`);
  if (refused.length === 0)
    services.notify.info(
      results.length === 1 ? l10n.t('Stopped 1 process.') : l10n.t('Stopped {0} processes.', results.length),
    );
  else
    services.notify.warn(
      l10n.t('Not stopped: {0}', refused.map(({ pid, why }) => `${pid} (${why ?? ''})`).join(', ')),
    );
}
