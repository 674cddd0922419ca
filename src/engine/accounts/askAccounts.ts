import { messageOf } from '../../core/agentKitError.ts';
import type { Answer, UsageEntry } from '../../core/accounts/usageEntry.ts';
import type { Account } from './listAccounts.ts';

/**
 * What came of asking about an account: an answer, or the name of another profile of the same login, or, for one that
 * the person excluded, no more than who it is.
 */
export type Found = { account: string } & (
  { answer?: Answer; identity: string | undefined; nameless?: true } | { twin: string }
);

interface AskOptions {
  environment: Readonly<Record<string, string | undefined>>;
  known: ReadonlyMap<string, UsageEntry>;
  /** These too may be profiles of the same logins. */
  all: readonly Account[];
  /** Whether what is known of an account is new enough to do for another profile of its login. */
  isFresh: (account: Account) => boolean;
  /** Whether its CLI is asked who it works for; default: that of each account. */
  asksWho?: (account: Account) => boolean;
}

interface Login {
  account: Account;
  identity: string | undefined;
  /** Its login works, and is one without a name, like a key. */
  nameless?: true;
  /** Why it needs no asking: the CLI itself, without any contact, says that it cannot be used. */
  answer: Answer | undefined;
}

/**
 * Asks about accounts: each CLI first who it works for, which contacts nobody, then the vendor, once a login. A login
 * that the person excluded under another name is not asked about. Each twin stands behind the account that it copies.
 */
export async function askAccounts(due: readonly Account[], options: AskOptions): Promise<Found[]> {
  const { known, all, asksWho = () => true } = options;
  const kinds = new Set(due.filter(asksWho).map(({ kind }) => kind));
  // To exclude a profile is to exclude its login, and that only its CLI can tell.
  const unknown = all.filter(
    (each) => each.excluded && kinds.has(each.kind) && known.get(each.name)?.identity === undefined,
  );
  const named = new Set([...unknown, ...due.filter(asksWho)]);
  const logins = await probeAll([...new Set([...unknown, ...due])], named, options.environment);
  const identities = new Map<string, { identity?: string | undefined }>(known);
  for (const { account, identity } of logins)
    if (named.has(account)) identities.set(account.name, { identity });
  const leftOut = excludedLogins(all, identities);
  const asked = new Map<string, string>();
  const learnt: Found[] = [];
  const asking: Promise<Found>[] = [];
  const twins: Found[] = [];
  for (const login of logins) {
    const { account, identity } = login;
    const { name } = account;
    const twin = identity === undefined ? undefined : (twinOf(login, options) ?? asked.get(identity));
    if (!due.includes(account) || (identity !== undefined && leftOut.has(identity))) {
      learnt.push({ account: name, identity });
    } else if (twin !== undefined) {
      twins.push({ account: name, twin });
    } else {
      if (identity !== undefined) asked.set(identity, name);
      asking.push(askOne(login));
    }
  }
  return [...learnt, ...(await Promise.all(asking)), ...twins];
}

/** The logins that the person excluded, under whatever name. */
export function excludedLogins(
  accounts: readonly Account[],
  known: ReadonlyMap<string, { identity?: string | undefined }>,
): Set<string> {
  const excluded = accounts.filter((account) => account.excluded);
  return new Set(excluded.flatMap(({ name }) => known.get(name)?.identity ?? []));
}

/** Another profile of the same login that was read lately. */
function twinOf({ account, identity }: Login, { known, all, isFresh }: AskOptions): string | undefined {
  return all.find(
    (each) =>
      each.name !== account.name &&
      each.kind === account.kind &&
      known.get(each.name)?.identity === identity &&
      isFresh(each),
  )?.name;
}

async function askOne({ account, answer, ...login }: Login): Promise<Found> {
  const { name, kind, profile } = account;
  const told =
    answer ??
    (await kind
      .readUsage(profile)
      .catch((error: unknown): Answer => ({ status: 'unknown', reason: messageOf(error), windows: [] })));
  return { ...login, account: name, answer: told };
}

/** One CLI of a kind at a time: some take much memory to say their name. */
async function probeAll(
  accounts: readonly Account[],
  named: ReadonlySet<Account>,
  environment: AskOptions['environment'],
): Promise<Login[]> {
  const kinds = [...new Set(accounts.map(({ kind }) => kind))];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const logins: Login[] = [];
      for (const account of accounts.filter((each) => each.kind === kind))
        logins.push(
          named.has(account)
            ? await probeOne(account, environment)
            : { account, identity: undefined, answer: undefined },
        );
      return logins;
    }),
  );
  return lists.flat();
}

async function probeOne(account: Account, environment: AskOptions['environment']): Promise<Login> {
  const login = await askWho(account, environment);
  // What is local can be read without its CLI, and is, in between.
  return account.kind.usageIsLocal === true ? { ...login, answer: undefined } : login;
}

async function askWho(account: Account, environment: AskOptions['environment']): Promise<Login> {
  const { kind, profile } = account;
  try {
    const probe = await kind.probe?.(profile, environment);
    if (probe === undefined) return { account, identity: undefined, answer: undefined };
    const reason = probe.problem === undefined ? {} : { reason: probe.problem };
    if (probe.version === null)
      return { account, identity: undefined, answer: { status: 'unknown', ...reason, windows: [] } };
    if (probe.login === 'not_logged_in')
      return { account, identity: undefined, answer: { status: 'not_logged_in', ...reason, windows: [] } };
    const { identity } = probe;
    if (identity === undefined)
      return { account, identity, answer: undefined, ...(probe.login === 'ok' && { nameless: true }) };
    const { identityHash } = await import('./identityHash.ts');
    return { account, identity: await identityHash(environment, kind.id, identity), answer: undefined };
  } catch (error) {
    const answer: Answer = { status: 'unknown', reason: messageOf(error), windows: [] };
    return { account, identity: undefined, answer };
  }
}
