import { fullAccounts } from '../../core/accounts/accountUse.ts';
import { formatAccount } from '../../core/accounts/account.ts';
import {
  pickAccounts,
  unknownExclusions,
  type PickAnswer,
  type PickRequest,
} from '../../core/accounts/pickAccounts.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { UsageKind } from '../agents/usageKinds.ts';
import { accountSurvey } from './accountSurvey.ts';
import { readUsage } from './usageReader.ts';

/** Age in seconds up to which a reading serves a pick (design chapter 3). */
export const pickAge = 300;
/** Longest wait of a pick for another process that reads, in milliseconds; asking one CLI takes at most 20 s. */
const waitMs = 30_000;

export interface PickOptions {
  kinds: ReadonlyMap<string, UsageKind>;
  environment: Readonly<Record<string, string | undefined>>;
  now: () => Date;
}

/**
 * Chooses accounts by what is known of them and who holds them. What this file and its own load is what a script
 * waits for at every piece of work, so it is kept small.
 * @throws AgentKitError `not_found` when an exclusion names no account
 */
export async function pickAccount(request: PickRequest, options: PickOptions): Promise<PickAnswer> {
  const readings = await readForPick(request, options);
  const full = fullAccounts(await accountSurvey(readings, options.environment));
  return pickAccounts(readings, full, request, options.now().toISOString());
}

/** What is known of the accounts that a request is about. @throws as `pickAccount` */
export async function readForPick(request: PickRequest, options: PickOptions): Promise<AccountReading[]> {
  const { kind, model, max_age_s: maxAgeS = pickAge } = request;
  const readings = await readUsage({
    ...options,
    ...{ maxAgeS, waitMs },
    ...(kind !== undefined && { wanted: { kinds: [kind] } }),
    ...(model !== undefined && { models: [model] }),
  });
  const [stranger] = unknownExclusions(readings, request);
  if (stranger === undefined) return readings;
  const known = readings.map(formatAccount).join(', ') || 'none';
  throw new AgentKitError('not_found', `There is no account ${stranger} to exclude; there are ${known}.`);
}
