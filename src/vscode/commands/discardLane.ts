import { l10n, ProgressLocation, window } from 'vscode';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Answer } from '../../core/run/request.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { asSentences } from './asSentences.ts';
import { askWith } from './askOwner.ts';
import { discardSummary } from './discardSummary.ts';
import { restoreRescue } from './restoreLane.ts';

type Done = Answer & { rescue: string | null };

/** Shows what is in the lane, asks once, rescues it and takes it away. */
export async function discardLane(services: Services, lane: LaneView): Promise<void> {
  services.requireTrust();
  const address = laneAddress(lane);
  const looking = {
    location: ProgressLocation.Window,
    title: l10n.t('Looking at what {0} holds', lane.lane),
  };
  const preview = await window.withProgress(looking, async () =>
    (await services.kit()).lanes.previewDiscard(address),
  );
  if (preview.why_not.length > 0) {
    services.log.warn(`discard of ${lane.lane}: ${preview.why_not.join('; ')}`);
    services.notify.warn(l10n.t('{0} cannot be discarded: {1}', lane.lane, asSentences(preview.why_not)));
    return;
  }
  const loses = preview.not_kept.length > 0;
  const discard = loses ? l10n.t('Discard and Lose Them') : l10n.t('Discard Lane');
  const answer = await window.showWarningMessage(
    plainMessage(l10n.t('Discard {0}?', lane.lane)),
    { modal: true, detail: plainMessage(discardSummary(preview, l10n.t)) },
    discard,
  );
  if (answer !== discard) return;
  const title = l10n.t('Rescuing {0} and taking it away', lane.lane);
  const offer = ({ rescue }: Done) =>
    rescue === null ? [] : [{ label: l10n.t('Restore Lane'), run: () => restoreRescue(services, rescue) }];
  await askWith<Done>(services, { what: `discard of ${address}`, title, offer }, (kit, wait) =>
    kit.lanes.discard(address, { acceptsLoss: loses }, wait),
  );
}
