import { CancellationError, l10n, QuickPickItemKind, window } from 'vscode';
import type { Services } from '../platform/services.ts';
import { formatBytes } from '../platform/formatBytes.ts';

/** Lists what lanes left running, and ends what the person leaves chosen. */
export async function stopOrphans(services: Services): Promise<void> {
  services.requireTrust();
  const { lanes } = await services.kit();
  const all = await lanes.orphans();
  const orphans = all.filter((each) => each.why_not === null);
  const others = all.filter((each) => each.why_not !== null);
  for (const { pid, lane, command, why_not } of others)
    services.log.info(`${lane}: process ${pid} (${command}): ${why_not ?? ''}`);
  if (orphans.length === 0 && others.length > 0) {
    const named = others.map(({ pid, lane }) => l10n.t('{0}: process {1}', lane, pid)).join(', ');
    services.notify.info(l10n.t('No lane left a process behind. Not ours, but in a lane: {0}', named));
    return;
  }
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
  // A separator cannot be chosen.
  const shown = others.map(({ pid, lane }) => ({
    label: l10n.t('not ours, so left alone: {0}, process {1}', lane, pid),
    kind: QuickPickItemKind.Separator,
    orphan: undefined,
  }));
  const chosen = await window.showQuickPick([...items, ...shown], {
    title: l10n.t('Stop Which Processes?'),
    placeHolder: l10n.t('Lanes left them running, and no agent or check needs them'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.length === 0) throw new CancellationError();
  const results = await lanes.stopOrphans(chosen.flatMap(({ orphan }) => orphan ?? []));
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
