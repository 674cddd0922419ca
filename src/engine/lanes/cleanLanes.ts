import { AgentKitError } from '../../core/agentKitError.ts';
import type { CareSources } from './createLaneCare.ts';
import type { CleanAnswer } from './laneCare.ts';

/** Takes away what lanes that have ended left. */
export function cleanLanes(
  _sources: CareSources,
  _options: { merged: boolean; dryRun: boolean },
): Promise<CleanAnswer> {
  return Promise.reject(new AgentKitError('internal', 'Cleaning up is not wired yet.'));
}
