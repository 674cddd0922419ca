import { accountFacts } from '../../core/accounts/accountFacts.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { meansAccount, modelsOf } from '../../core/run/assign.ts';
import type { AccountFact } from '../../core/run/facts.ts';
import { accountSurvey } from './accountSurvey.ts';
import { listAccounts } from './listAccounts.ts';
import { readUsage, type UsageRequest } from './usageReader.ts';

/** What of a plan says which accounts it may use. */
export type PlanAccounts = Pick<Plan, 'accounts' | 'jobs'>;

/** The accounts that a plan may use. */
export interface AccountView {
  readings: AccountReading[];
  /** The same as a decision sees them, best first. */
  facts: AccountFact[];
}

/** The accounts that a plan's jobs may use; no other one is asked about. */
export async function viewAccounts(
  plan: PlanAccounts,
  options: Omit<UsageRequest, 'wanted' | 'models'>,
): Promise<AccountView> {
  const { kinds, environment, now } = options;
  const models = modelsOf(plan);
  const all = await listAccounts(kinds, environment);
  const meant = all.filter(({ name, kind }) => meansAccount(plan, { account: name, kind: kind.id }));
  const accounts = meant.map(({ name }) => name);
  const readings = await readUsage({ ...options, models, wanted: { accounts } });
  const use = await accountSurvey(readings, environment);
  return { readings, facts: accountFacts(readings, { now: now().toISOString(), use, models }) };
}
