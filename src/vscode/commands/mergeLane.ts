import { l10n, ProgressLocation, window } from 'vscode';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { askOwner } from './askOwner.ts';
import { mergeSummary } from './mergeSummary.ts';

/** Shows what the merge would do, asks once, and has the owner of the run do exactly that. */
export async function mergeLane(
  services: Services,
  lane: LaneView,
  review: () => Promise<void>,
): Promise<void> {
  services.requireTrust();
  const looking = { location: ProgressLocation.Window, title: l10n.t('Looking at what the merge would do') };
  const plan = await window.withProgress(looking, async () =>
    (await services.kit()).planMerge(laneAddress(lane)),
  );
  const reasons = [...plan.whyNot, ...plan.conflicts.map((path) => l10n.t('Conflict in {0}', path))];
  if (reasons.length > 0) {
    services.log.warn(`merge of ${lane.lane}: ${reasons.join('; ')}`);
    services.notify.warn(
      l10n.t('{0} cannot be merged into {1}: {2}', lane.lane, plan.target, reasons.join(' ')),
    );
    return;
  }
  const merge = l10n.t('Merge');
  const look = l10n.t('Review Changes');
  const answer = await window.showInformationMessage(
    l10n.t('Merge {0} into {1}?', lane.lane, plan.target),
    { modal: true, detail: plainMessage(mergeSummary(plan, l10n.t)) },
    merge,
    look,
  );
  if (answer === look) return review();
  if (answer !== merge) return;
  const title = l10n.t(
    'Merging {0} into {1}: building the merged tree and running its gate',
    lane.lane,
    plan.target,
  );
  await askOwner(services, lane.run, { do: 'merge', lane: lane.lane, expect: plan.from }, title);
}
