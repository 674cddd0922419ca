import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { CareSources } from './createLaneCare.ts';

/** Brings a rescue back as a lane by hand. */
export function restoreByHand(_sources: CareSources, rescue: string): Promise<LaneView> {
  return Promise.reject(new AgentKitError('internal', `Restoring ${rescue} is not wired yet.`));
}
