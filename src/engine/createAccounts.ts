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
export function createAccounts(
  options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment' | 'denies'>,
): AccountDesk {
  return new AccountDesk({
    kinds: createPersonKinds(options),
    environment: options.environment,
    denies: options.denies,
    now: () => new Date(),
  });
}

/**
 * The same for who means a kind, which the repository of a folder may describe at the commit that is checked out
 * there. Without one: for a list, of which such a kind is left out while it may not run.
 * @throws as `createAccounts`; AgentKitError `refused` for a kind that may not run here, `invalid_input` with the place
 *   in `agentkit.yaml`
 */
export async function createAccountsIn(
  folder: string,
  kind: string | undefined,
  options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>,
): Promise<AccountDesk> {
  const own = createPersonKinds(options);
  const desk = createAccounts(options);
  if (kind !== undefined && own.has(kind)) return desk;
  const { kindsOfFolder } = await import('./plans/kindsOfFolder.ts');
  return desk.with(await kindsOfFolder(folder, kind, { own, environment: options.environment }));
}
