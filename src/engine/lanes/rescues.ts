import { AgentKitError } from '../../core/agentKitError.ts';
import type { CareSources } from './createLaneCare.ts';
import type { RescueView } from './laneCare.ts';

/** Newest first. */
export function listAllRescues(_sources: CareSources): Promise<RescueView[]> {
  return Promise.reject(new AgentKitError('internal', 'The list of rescues is not wired yet.'));
}

export function dropRescueOf(_sources: CareSources, ref: string): Promise<void> {
  return Promise.reject(new AgentKitError('internal', `Dropping ${ref} is not wired yet.`));
}
