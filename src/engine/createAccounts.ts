import { AccountDesk } from './accounts/accountDesk.ts';
import type { AgentKitOptions } from './agentKitTypes.ts';
import { createPersonKinds } from './agents/kinds.ts';

export type { AccountDesk };
export type { Lease } from './accounts/leases.ts';
export type { Profile } from './agents/agentKind.ts';

/**
 * The accounts of this machine, for whoever needs no repository.
 * @throws AgentKitError `invalid_input`, `refused` when the person's settings cannot be read
 */
export function createAccounts(options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>): AccountDesk {
  return new AccountDesk({
    kinds: createPersonKinds(options),
    environment: options.environment,
    now: () => new Date(),
  });
}
