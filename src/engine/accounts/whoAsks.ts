import type { Permissions } from '../../core/safety/posture.ts';
import { readPersonSettings } from './personSettings.ts';

/** Where the agents of a plan may be told to ask. */
export interface AskSources {
  environment: Readonly<Record<string, string | undefined>>;
  /** Where the head's own settings say so now; null where they do not. */
  asks?: (() => string | null) | undefined;
  plan: { permissions?: Permissions | undefined };
}

/**
 * Every place that says that agents ask, in words; empty where none does, and then they work without asking. Asked
 * anew for each agent, so that a word given while a run is under way counts for what starts after it.
 * @throws AgentKitError as `readPersonSettings`
 */
export async function whoAsks({ environment, asks, plan }: AskSources): Promise<string[]> {
  const { askedBy } = await readPersonSettings(environment);
  const head = asks?.() ?? null;
  return [
    ...askedBy,
    ...(head === null ? [] : [head]),
    ...(plan.permissions === 'ask' ? ['permissions in the plan'] : []),
  ];
}
