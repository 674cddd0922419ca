import { isSameLogin } from '../../core/accounts/accountUse.ts';
import { knownIdentity } from '../accounts/knownIdentity.ts';
import { listLeases, type Lease } from '../accounts/leases.ts';

/** The leases of writers on an account, also under another profile of the same login. */
export async function writersOf(
  account: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Lease[]> {
  const login = { account, identity: await knownIdentity(account, environment) };
  const leases = await listLeases({ environment });
  return leases.filter((lease) => lease.mode === 'write' && isSameLogin(lease, login));
}
