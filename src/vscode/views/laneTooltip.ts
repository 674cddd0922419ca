import { env, l10n } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Services } from '../platform/services.ts';
import { describeResources } from './describeResources.ts';
import { tooltipOf } from './laneItem.ts';

/** What a lane's row tells at a closer look, with what its processes use now. */
export async function laneTooltip(lane: LaneView, services: Services): Promise<string> {
  const text = tooltipOf(lane, { t: l10n.t, now: Date.now(), locale: env.language });
  try {
    const resources = await (await services.kit()).lanes.resources(laneAddress(lane));
    return resources === null ? text : `${text}\n${describeResources(resources, l10n.t)}`;
  } catch (error) {
    services.log.warn(`resources of ${lane.lane}: ${messageOf(error)}`);
    return text;
  }
}
