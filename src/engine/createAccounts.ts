import { AccountDesk } from './accounts/accountDesk.ts';
import type { AgentKitOptions } from './agentKitTypes.ts';
import { createKinds } from './agents/kinds.ts';

export type { AccountDesk };
export type { Profile } from './agents/agentKind.ts';

/** The accounts of this machine, for whoever needs no repository. */
export function createAccounts(options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>): AccountDesk {
  return new AccountDesk({
    kinds: createKinds(options),
    environment: options.environment,
    now: () => new Date(),
  });
}
