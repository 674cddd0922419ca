import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { confirmAccount, type Confirmation } from './confirmAccount.ts';
import { requireIncluded } from './knownLogin.ts';
import { settleLease } from './leases.ts';
import { rememberLogin } from './rememberLogin.ts';

/**
 * Confirms an account that an owner holds. Whose login it is may be learnt only by that: then it is remembered, and
 * held from there on whatever profile others know it by.
 * @throws AgentKitError as `confirmAccount`; `refused` when the person excluded the login under another name;
 *   `conflict` when others have it under another name
 */
export async function confirmHeld(request: Confirmation & { owner: string }): Promise<void> {
  const { kind, profile, environment, owner } = request;
  const identity = await confirmAccount(request);
  if (identity === undefined) return;
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  await rememberLogin(account, identity, environment);
  await requireIncluded(account, environment);
  if (await settleLease({ account, owner, identity, environment })) return;
  throw new AgentKitError(
    'conflict',
    `${account} is in use under another profile of its login; ak lease ls says by whom. Wait for it, or name another account.`,
  );
}
