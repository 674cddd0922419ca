import { accountUse, type AccountUse } from '../../core/accounts/accountUse.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { listLeases } from './leaseFile.ts';
import { readPersonSettings } from './personSettings.ts';

/** How accounts are used now, of which readings are at hand: who holds them, by lease, and how many may. */
export async function accountSurvey(
  readings: readonly AccountReading[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Map<string, AccountUse>> {
  const [leases, settings] = await Promise.all([
    listLeases({ environment }),
    readPersonSettings(environment),
  ]);
  return accountUse(readings, leases, settings, Date.now());
}
