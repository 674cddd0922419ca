import { formatAccount } from '../../core/accounts/account.ts';
import { accountUse, fullAccounts } from '../../core/accounts/accountUse.ts';
import { pickAccounts, type PickAnswer, type PickRequest } from '../../core/accounts/pickAccounts.ts';
import { changeLeases } from './leaseFile.ts';
import { makeLease, type Lease, type LeaseOwner } from './leases.ts';
import { readPersonSettings } from './personSettings.ts';
import { readForPick, type PickOptions } from './pickAccount.ts';

/** What was chosen, and taken. */
export interface LeasedPick extends PickAnswer {
  /** One for each chosen account, in their order. */
  leases: Lease[];
}

/**
 * Chooses accounts and takes them in one step: of several who ask at once nobody gets what another one got. Where
 * fewer qualify than were asked for, those are taken. Whoever only reads shares accounts with writers.
 * @throws AgentKitError as `pickAccount` and `takeLease`
 */
export async function pickAndLease(
  request: PickRequest,
  owner: LeaseOwner,
  options: PickOptions,
): Promise<LeasedPick> {
  const { environment, now } = options;
  const readings = await readForPick(request, options);
  const settings = await readPersonSettings(environment);
  return changeLeases(environment, (leases) => {
    const use = accountUse(readings, leases, settings, Date.now());
    const full = owner.mode === 'read' ? new Set<string>() : fullAccounts(use);
    const answer = pickAccounts(readings, full, request, now().toISOString());
    const made = answer.chosen.map((chosen) => {
      const account = formatAccount(chosen);
      const identity = readings.find((reading) => formatAccount(reading) === account)?.identity;
      return makeLease(owner, account, identity);
    });
    return { leases: [...leases, ...made], answer: { ...answer, leases: made } };
  });
}
