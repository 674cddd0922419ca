import { AgentKitError } from '../../core/agentKitError.ts';
import { readPersonSettings } from '../accounts/personSettings.ts';
import type { EngineContext } from './runContext.ts';

/** What was read last. */
const known = new WeakMap<EngineContext['environment'], readonly string[]>();

/**
 * Variables that the person withholds at any place, asked anew for each step. A slip in the settings while a run is
 * under way lets what was read before hold for its gates.
 * @throws AgentKitError as `readPersonSettings`, where nothing was read before
 */
export async function deniedBy({
  environment,
  denies,
}: Pick<EngineContext, 'environment' | 'denies'>): Promise<string[]> {
  try {
    known.set(environment, (await readPersonSettings(environment)).denied);
  } catch (error) {
    if (!(error instanceof AgentKitError) || !known.has(environment)) throw error;
  }
  return [...(known.get(environment) ?? []), ...(denies?.() ?? [])];
}
