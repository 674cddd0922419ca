import { normalAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { isDue } from '../../core/accounts/isDue.ts';
import { toReading } from '../../core/accounts/toReading.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { afterAnswer, withIdentity, type UsageEntry } from '../../core/accounts/usageEntry.ts';
import type { UsageKind } from '../agents/usageKinds.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { askAccounts, excludedLogins, type Found } from './askAccounts.ts';
import { listAccounts, type Account, type Wanted } from './listAccounts.ts';
import { changeUsageCache, readUsageCache } from './usageCache.ts';

export interface UsageRequest {
  kinds: ReadonlyMap<string, UsageKind>;
  environment: Readonly<Record<string, string | undefined>>;
  wanted?: Wanted;
  /**
   * A reading up to this age in seconds will do; 0 asks anew. Infinity contacts nobody: what is local is read, of the
   * rest only what is known is told.
   */
  maxAgeS: number;
  /** Models whose own windows a decision needs, beside those that count all. */
  models?: readonly string[];
  now: () => Date;
  /**
   * Longest wait for another process that reads, in milliseconds; then what is due is told as it was known, `unknown`
   * with the reason. Default: two minutes, and then it fails.
   */
  waitMs?: number;
}

type Entries = ReadonlyMap<string, UsageEntry>;

/** Another process may be reading several slow accounts. */
const lockMs = 120_000;

/**
 * What is known of every account, reading those that nobody on this machine has read lately, and those whose window
 * has passed its reset since. One reader at a time: whoever waited takes what the other has read meanwhile. An
 * account that cannot be read is `unknown` with the reason, and keeps the last good numbers with their age. Excluded
 * accounts are not asked about. What is local is read each time.
 */
export async function readUsage(request: UsageRequest): Promise<AccountReading[]> {
  const { environment } = request;
  const { state } = userFolders(environment);
  const all = await listAccounts(request.kinds, environment, request.wanted?.kinds);
  const names = request.wanted?.accounts && new Set(request.wanted.accounts.map(normalAccount));
  const accounts = all.filter(({ name }) => names?.has(normalAccount(name)) ?? true);
  const isLocal = ({ kind }: Account) => kind.usageIsLocal === true;
  const known = await readUsageCache(stateFiles(state).usageCache);
  const asked = await askVendors(
    { all, accounts: accounts.filter((each) => !isLocal(each)) },
    known,
    request,
  );
  const entries = await readLocal(accounts.filter(isLocal), asked, request);
  const now = request.now();
  const leftOut = excludedLogins(all, entries);
  return accounts.map(({ name, kind, profile, ...account }) => {
    const entry = entries.get(name);
    // To exclude a profile is to exclude its login.
    const excluded = account.excluded || (entry?.identity !== undefined && leftOut.has(entry.identity));
    const named = { kind: kind.id, profile: profile.name, default: profile.folder === null, excluded };
    return toReading(named, entry, now);
  });
}

/** The entries after asking about those accounts that are due; `all` may be other profiles of their logins. */
async function askVendors(
  { all, accounts }: { all: readonly Account[]; accounts: readonly Account[] },
  known: Entries,
  request: UsageRequest,
): Promise<Entries> {
  const { environment, maxAgeS, models = [] } = request;
  const asked = request.now().getTime();
  const { state } = userFolders(environment);
  const files = stateFiles(state);
  const dueIn = (cache: Entries): ((account: Account) => boolean) => {
    const leftOut = excludedLogins(all, cache);
    // What somebody read since this was asked for will do, whatever the age.
    const now = request.now().getTime();
    const age = { now, maxAgeS: maxAgeS + (now - asked) / 1000, models };
    return ({ name, excluded }) => {
      const entry = cache.get(name);
      if (excluded || (entry?.identity !== undefined && leftOut.has(entry.identity))) return false;
      return isDue(entry, age);
    };
  };
  if (maxAgeS === Infinity || !accounts.some(dueIn(known))) return known;
  const read = async () => {
    const current = await readUsageCache(files.usageCache);
    const isDueNow = dueIn(current);
    const due = accounts.filter(isDueNow);
    if (due.length === 0) return current;
    const found = await askAccounts(due, {
      environment,
      known: current,
      all,
      isFresh: (each) => !isDueNow(each),
    });
    return changeUsageCache(state, (entries) =>
      takeAnswers(entries, found, request.now().toISOString(), maxAgeS === 0),
    );
  };
  const { waitMs } = request;
  let isMine = false;
  const turn = () => {
    isMine = true;
    return read();
  };
  return withLock(files.usageLock, turn, { timeoutMs: waitMs ?? lockMs }).catch(async (error: unknown) => {
    if (isMine || waitMs === undefined || !(error instanceof AgentKitError) || error.reason !== 'timeout')
      throw error;
    const current = await readUsageCache(files.usageCache);
    return withoutTurn(current, accounts.filter(dueIn(current)), waitMs);
  });
}

/** The entries where another process kept its turn to read for too long; they are not written down. */
function withoutTurn(entries: Entries, due: readonly Account[], waitedMs: number): Entries {
  const reason = `another process has been reading quotas for more than ${waitedMs / 1000} s; it may hang: end it, then try again`;
  const unread = due.map(({ name }): [string, UsageEntry] => {
    const known = withIdentity(entries.get(name), undefined);
    return [name, { ...known, status: 'unknown', reason }];
  });
  return new Map([...entries, ...unread]);
}

/**
 * The entries after reading what contacts nobody. That needs no turn, and is written down only when it is new, or when
 * the CLI was asked for its login: what is local is read at every look, too often to start a CLI each time. Else the
 * time at which the last good numbers were read is that of their last change.
 */
async function readLocal(
  accounts: readonly Account[],
  known: Entries,
  request: UsageRequest,
): Promise<Entries> {
  if (accounts.length === 0) return known;
  const { environment, maxAgeS } = request;
  const now = request.now().getTime();
  const asksWho = ({ name, kind, excluded }: Account) =>
    kind.probe !== undefined && !excluded && maxAgeS !== Infinity && isDue(known.get(name), { now, maxAgeS });
  const found = await askAccounts(accounts, {
    ...{ environment, known, asksWho },
    all: accounts,
    isFresh: () => false,
  });
  const at = request.now().toISOString();
  const entries = new Map(known);
  takeAnswers(entries, found, at, maxAgeS === 0);
  const isNew = accounts.some(
    (each) => asksWho(each) || !saysTheSame(known.get(each.name), entries.get(each.name)),
  );
  if (!isNew) return entries;
  return changeUsageCache(userFolders(environment).state, (current) =>
    takeAnswers(current, found, at, maxAgeS === 0),
  );
}

/** Whether two entries, both made in the order in which the cache is read, differ in no more than their times. */
function saysTheSame(one: UsageEntry | undefined, other: UsageEntry | undefined): boolean {
  const timeless = (entry: UsageEntry | undefined) => entry && { ...entry, asked_at: '', read_at: '' };
  return JSON.stringify(timeless(one)) === JSON.stringify(timeless(other));
}

function takeAnswers(
  entries: Map<string, UsageEntry>,
  found: readonly Found[],
  at: string,
  isWanted: boolean,
): void {
  for (const each of found) {
    const twin = 'twin' in each ? entries.get(each.twin) : undefined;
    if (twin !== undefined) entries.set(each.account, twin);
    else if ('identity' in each) {
      const { account, answer, identity, nameless } = each;
      const last = entries.get(account);
      const next =
        answer === undefined
          ? withIdentity(last, identity)
          : afterAnswer(last, answer, at, nameless ? null : identity, isWanted);
      entries.set(account, next);
    }
  }
}
