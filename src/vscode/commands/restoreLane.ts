import { CancellationError, env, l10n, ProgressLocation, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { RescueEntry } from '../../engine/agentKit.ts';
import { formatBytes } from '../platform/formatBytes.ts';
import { formatMoment } from '../platform/formatTime.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { asSentences } from './asSentences.ts';

/** Has the person choose a rescue, and brings its lane back. */
export async function restoreLane(services: Services): Promise<void> {
  services.requireTrust();
  const rescues = await (await services.kit()).lanes.rescues();
  if (rescues.length === 0)
    throw new AgentKitError('not_found', l10n.t('Nothing was rescued yet: a lane is when it is discarded.'));
  const picked = await window.showQuickPick(rescues.map(toItem), {
    title: l10n.t('Restore Which Lane?'),
    placeHolder: l10n.t('Each is kept until you give it up with "ak lane forget"'),
    matchOnDetail: true,
  });
  if (!picked) throw new CancellationError();
  await restoreRescue(services, picked.rescue.ref);
}

/** Brings a rescued lane back as a lane by hand, and says what it is called now. */
export async function restoreRescue(services: Services, ref: string): Promise<void> {
  services.requireTrust();
  const lane = await window.withProgress(
    { location: ProgressLocation.Notification, title: plainMessage(l10n.t('Restoring {0}', ref)) },
    async () => (await services.kit()).lanes.restore(ref),
  );
  await services.lanes.refresh();
  if (lane.state === 'open')
    services.notify.info(l10n.t('Restored as lane {0}, in {1}.', lane.lane, lane.path ?? ''));
  else services.notify.warn(l10n.t('{0} could not be restored: {1}', lane.lane, asSentences(lane.why_not)));
}

function toItem(rescue: RescueEntry) {
  const { ref, lane, at, why, files, bytes, archive } = rescue;
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  return {
    label: lane,
    description: formatMoment(at, render),
    detail: l10n.t('{0} · {1} files, {2} · {3}', why, files, formatBytes(bytes + (archive?.bytes ?? 0)), ref),
    rescue,
  };
}
