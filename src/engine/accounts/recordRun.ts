import { normalAccount } from '../../core/accounts/account.ts';
import { afterRefusal } from '../../core/accounts/afterRefusal.ts';
import { refusesAccount, type Limit, type Refusal } from '../../core/accounts/refusal.ts';
import type { UsageWindow } from '../../core/accounts/usage.ts';
import { afterRun } from '../../core/accounts/usageEntry.ts';
import { userFolders } from '../store/userFolders.ts';
import { changeUsageCache } from './usageCache.ts';

/** What a run's own stream said about its account. */
export interface RunSignals {
  windows?: readonly UsageWindow[] | undefined;
  limit?: Limit | undefined;
  refused?: Refusal | undefined;
  /** The model that the run named. */
  model?: string | undefined;
  /** RFC 3339. */
  ended_at: string;
}

/**
 * Keeps what a run of ours told about its account, which contacts nobody: windows of which its stream spoke, and a
 * limit, which benches the account, and every other profile of the same login, until it ends or a newer reading says
 * otherwise; and that the vendor refused its login, which is this profile's alone, or its bill.
 */
export async function recordRun(
  environment: Readonly<Record<string, string | undefined>>,
  account: string,
  signals: RunSignals,
): Promise<void> {
  const { limit, windows = [], refused, ended_at: at } = signals;
  const out = refused && refusesAccount[refused.reason];
  if (limit === undefined && windows.length === 0 && out === undefined) return;
  await changeUsageCache(userFolders(environment).state, (entries) => {
    const name =
      [...entries.keys()].find((each) => normalAccount(each) === normalAccount(account)) ?? account;
    const identity = entries.get(name)?.identity;
    const entry = afterRun(entries.get(name), signals, at);
    const own = afterRefusal(entry, name, refused, at);
    for (const [twin, { identity: other }] of entries)
      if (identity !== undefined && other === identity) entries.set(twin, out?.login ? own : entry);
    entries.set(name, own);
  });
}
