import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { identityHash } from './identityHash.ts';
import { knownIdentity } from './knownIdentity.ts';

export interface Confirmation {
  kind: Pick<AgentKind, 'id' | 'probe'>;
  profile: Profile;
  environment: Readonly<Record<string, string | undefined>>;
  /** Salted hash of the login; default: as it was last read for this account. */
  expected?: string;
}

/**
 * Asks the CLI, and no vendor, whether it works for the account that is meant, before any prompt is sent: a login
 * that is another one than at the last reading would have somebody else pay.
 * @returns Salted hash of the login; undefined where the CLI does not say whose it is.
 * @throws AgentKitError `timeout` where the CLI does not answer, `not_installed`, `not_logged_in`, `refused` by the machine, `wrong_account`, each with the cure
 */
export async function confirmAccount(request: Confirmation): Promise<string | undefined> {
  const { kind, profile, environment } = request;
  const probe = await kind.probe?.(profile, environment);
  if (!probe) return undefined;
  const problem = probe.problem ?? 'the CLI does not say why';
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  // Who does not answer is not confirmed.
  if (probe.late === true) throw new AgentKitError('timeout', `${account}: ${problem}`);
  if (probe.version === null) throw new AgentKitError('not_installed', problem);
  if (probe.login === 'not_logged_in') throw new AgentKitError('not_logged_in', `${account}: ${problem}`);
  if (probe.blocked === true) throw new AgentKitError('refused', `${account}: ${problem}`);
  const expected = request.expected ?? (await knownIdentity(account, environment));
  // A login that works and has no name, like a key, is another one than one that has: somebody else would pay.
  if (probe.identity === undefined && (probe.login !== 'ok' || expected === undefined)) return undefined;
  const identity = probe.identity && (await identityHash(environment, kind.id, probe.identity));
  if (expected === undefined || identity === expected) return identity;
  const how = identity === undefined ? 'with a login that has no name, other' : 'as somebody else';
  throw new AgentKitError(
    'wrong_account',
    `${account} is logged in ${how} than when it was last read, so nothing was sent. If that is meant, read it anew: ak usage ${kind.id}`,
  );
}
