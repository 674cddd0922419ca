import { formatAccount } from '../../core/accounts/account.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { messageOf } from '../../core/agentKitError.ts';
import type { Profile, UsageAnswer } from '../agents/agentKind.ts';
import type { UsageKind } from '../agents/usageKinds.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { listProfiles } from './profiles.ts';
import { readUsageCache, writeUsageCache, type UsageEntry } from './usageCache.ts';

export interface UsageRequest {
  kinds: ReadonlyMap<string, UsageKind>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Only accounts of this kind. */
  kind?: string;
  /**
   * A reading up to this age in seconds will do; 0 asks anew. Infinity contacts nobody: what is local is read, of the
   * rest only what is known is told.
   */
  maxAgeS: number;
  now: () => Date;
}

interface Account {
  name: string;
  kind: UsageKind;
  profile: Profile;
}

/** Another process may be reading several slow accounts. */
const lockMs = 120_000;

/**
 * What is known of every account, reading those that nobody on this machine has read lately. One reader at a time:
 * whoever waited takes what the other has read meanwhile. An account that cannot be read is `unknown` with the
 * reason, and keeps the last good numbers with their age.
 */
export async function readUsage(request: UsageRequest): Promise<AccountReading[]> {
  const asked = request.now();
  const files = stateFiles(userFolders(request.environment).state);
  const accounts = await listAccounts(request);
  const isDue = (account: Account, entry: UsageEntry | undefined) => {
    if (request.maxAgeS === Infinity && account.kind.usageIsLocal !== true) return false;
    const last = entry === undefined ? -Infinity : Date.parse(entry.asked_at);
    const oldest = account.kind.usageIsLocal ? asked.getTime() : asked.getTime() - request.maxAgeS * 1000;
    // A clock that was set back must not keep a reading for ever.
    return last < oldest || last > request.now().getTime();
  };
  let cache = await readUsageCache(files.usageCache);
  if (accounts.some((account) => isDue(account, cache.get(account.name)))) {
    cache = await withLock(
      files.usageLock,
      async () => {
        const current = await readUsageCache(files.usageCache);
        const due = accounts.filter((account) => isDue(account, current.get(account.name)));
        const readOne = async (account: Account) =>
          current.set(account.name, await readAccount(account, current.get(account.name), request.now));
        await Promise.all(due.map(readOne));
        if (due.length > 0) {
          await writeUsageCache(files.usageCache, current);
        }
        return current;
      },
      { timeoutMs: lockMs },
    );
  }
  return accounts.flatMap((account) => {
    const entry = cache.get(account.name);
    return entry ? toReading(account, entry, request.now()) : [];
  });
}

async function listAccounts(request: UsageRequest): Promise<Account[]> {
  const kinds = [...request.kinds.values()].filter(
    (kind) => request.kind === undefined || kind.id === request.kind,
  );
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const profiles = await listProfiles(kind, request.environment);
      return profiles.map((profile) => ({
        name: formatAccount({ kind: kind.id, profile: profile.name }),
        kind,
        profile,
      }));
    }),
  );
  return lists.flat();
}

async function readAccount(
  { kind, profile }: Account,
  last: UsageEntry | undefined,
  now: () => Date,
): Promise<UsageEntry> {
  const answer = await kind
    .readUsage(profile)
    .catch((error: unknown): UsageAnswer => ({ status: 'unknown', reason: messageOf(error), windows: [] }));
  const at = now().toISOString();
  const failed = answer.status === 'unknown';
  const plan = answer.plan ?? (failed ? last?.plan : undefined);
  return {
    status: answer.status,
    ...(answer.reason !== undefined && { reason: answer.reason }),
    ...(plan !== undefined && { plan }),
    asked_at: at,
    read_at: failed && last ? last.read_at : (answer.read_at ?? at),
    windows: failed && last ? last.windows : answer.windows,
  };
}

function toReading({ profile }: Account, entry: UsageEntry, now: Date): AccountReading {
  return {
    kind: profile.kind,
    profile: profile.name,
    status: entry.status,
    ...(entry.reason !== undefined && { reason: entry.reason }),
    ...(entry.plan !== undefined && { plan: entry.plan }),
    ...(profile.folder === null && { default: true }),
    read_at: entry.read_at,
    age_s: Math.max(0, Math.round((now.getTime() - Date.parse(entry.read_at)) / 1000)),
    windows: entry.windows,
  };
}
