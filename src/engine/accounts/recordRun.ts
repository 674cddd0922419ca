import { normalAccount } from '../../core/accounts/account.ts';
import type { Limit } from '../../core/accounts/refusal.ts';
import type { UsageWindow } from '../../core/accounts/usage.ts';
import { afterRun } from '../../core/accounts/usageEntry.ts';
import { userFolders } from '../store/userFolders.ts';
import { changeUsageCache } from './usageCache.ts';

/** What a run's own stream said about its account. */
export interface RunSignals {
  windows?: readonly UsageWindow[] | undefined;
  limit?: Limit | undefined;
  /** The model that the run named. */
  model?: string | undefined;
  /** RFC 3339. */
  ended_at: string;
}

/**
 * Keeps what a run of ours told about its account, which contacts nobody: windows of which its stream spoke, and a
 * limit, which benches the account, and every other profile of the same login, until it ends or a newer reading says
 * otherwise.
 */
export async function recordRun(
  environment: Readonly<Record<string, string | undefined>>,
  account: string,
  signals: RunSignals,
): Promise<void> {
  if (signals.limit === undefined && (signals.windows ?? []).length === 0) return;
  await changeUsageCache(userFolders(environment).state, (entries) => {
    const name =
      [...entries.keys()].find((each) => normalAccount(each) === normalAccount(account)) ?? account;
    const identity = entries.get(name)?.identity;
    const entry = afterRun(entries.get(name), signals, signals.ended_at);
    for (const [twin, { identity: other }] of entries)
      if (identity !== undefined && other === identity) entries.set(twin, entry);
    entries.set(name, entry);
  });
}
