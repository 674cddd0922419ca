import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { CareSources } from './createLaneCare.ts';

/** Makes lanes by hand in the standing run; resolves when each is open or cannot be made. */
export function createByHand(
  _sources: CareSources,
  names: readonly string[],
  _options: { base?: string; paths?: readonly string[] } = {},
): Promise<LaneView[]> {
  return Promise.reject(new AgentKitError('internal', `Making ${names.join()} is not wired yet.`));
}
