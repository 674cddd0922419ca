import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { confirmAccount, type Confirmation } from './confirmAccount.ts';
import { requireIncluded } from './knownLogin.ts';
import { settleLease } from './leases.ts';
import { rememberLogin } from './rememberLogin.ts';

/** An account to confirm, and who holds it. */
export type HeldAccount = Confirmation & { owner: string };

/**
 * Confirms an account that an owner holds. Whose login it is may be learnt only by that: then it is remembered, and
 * held from there on whatever profile others know it by.
 * @throws AgentKitError as `confirmAccount`; `refused` when the person excluded the login under another name;
 *   `conflict` when others have it under another name
 */
export async function confirmHeld(held: HeldAccount): Promise<void> {
  await settle(held, await confirmAccount(held));
}

/**
 * The same for the vendor's own screen: there somebody logs in, and sees what else is wrong. The wrong login, and one
 * that is not to be used, stop that too.
 * @throws AgentKitError `wrong_account`; `refused` and `conflict` as `confirmHeld`
 */
export async function confirmScreen(held: HeldAccount): Promise<void> {
  const identity = await confirmAccount(held).catch((error: unknown) => {
    if (error instanceof AgentKitError && error.reason !== 'wrong_account') return undefined;
    throw error;
  });
  await settle(held, identity);
}

async function settle(
  { kind, profile, environment, owner }: HeldAccount,
  identity: string | undefined,
): Promise<void> {
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
