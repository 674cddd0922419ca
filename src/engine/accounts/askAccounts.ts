import { messageOf } from '../../core/agentKitError.ts';
import type { Answer, UsageEntry } from '../../core/accounts/usageEntry.ts';
import type { Account } from './listAccounts.ts';

/** What came of asking about an account: an answer, or the name of another profile of the same login. */
export type Found = { account: string } & (
  { answer: Answer; identity: string | undefined } | { twin: string }
);

interface AskOptions {
  environment: Readonly<Record<string, string | undefined>>;
  mustAsk: (account: Account, entry: UsageEntry | undefined) => boolean;
}

interface Login {
  account: Account;
  identity: string | undefined;
  /** Why it needs no asking: the CLI itself, without any contact, says that it cannot be used. */
  answer: Answer | undefined;
}

/**
 * Asks about the accounts that must be asked about: each CLI first who it works for, which contacts nobody, then the
 * vendor, once a login. Answers come in an order in which each twin stands behind the account that it copies.
 */
export async function askAccounts(
  accounts: readonly Account[],
  known: ReadonlyMap<string, UsageEntry>,
  { environment, mustAsk }: AskOptions,
): Promise<Found[]> {
  const due = accounts.filter((account) => mustAsk(account, known.get(account.name)));
  const logins = await probeAll(due, environment);
  const asked = new Map<string, string>();
  const twins: Found[] = [];
  const asking: Promise<Found>[] = [];
  for (const { account, identity, answer } of logins) {
    const fresh =
      identity === undefined ? undefined : findFresh(accounts, known, { account, identity, mustAsk });
    const twin = fresh ?? (identity === undefined ? undefined : asked.get(identity));
    if (twin !== undefined) {
      twins.push({ account: account.name, twin });
      continue;
    }
    if (identity !== undefined) asked.set(identity, account.name);
    asking.push(askOne(account, identity, answer));
  }
  return [...(await Promise.all(asking)), ...twins];
}

/** Another profile of the same login that was read lately. */
function findFresh(
  accounts: readonly Account[],
  known: ReadonlyMap<string, UsageEntry>,
  { account, identity, mustAsk }: Pick<AskOptions, 'mustAsk'> & { account: Account; identity: string },
): string | undefined {
  return accounts.find(({ name, ...other }) => {
    const entry = known.get(name);
    if (name === account.name || entry?.identity !== identity) return false;
    return !mustAsk({ name, ...other }, entry) && !mustAsk(account, entry);
  })?.name;
}

async function askOne(
  { name, kind, profile }: Account,
  identity: string | undefined,
  answer: Answer | undefined,
): Promise<Found> {
  const told =
    answer ??
    (await kind
      .readUsage(profile)
      .catch((error: unknown): Answer => ({ status: 'unknown', reason: messageOf(error), windows: [] })));
  return { account: name, answer: told, identity };
}

/** One CLI of a kind at a time: some take much memory to say their name. */
async function probeAll(
  accounts: readonly Account[],
  environment: AskOptions['environment'],
): Promise<Login[]> {
  const kinds = [...new Set(accounts.map(({ kind }) => kind))];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const logins: Login[] = [];
      for (const account of accounts.filter((each) => each.kind === kind))
        logins.push(await probeOne(account, environment));
      return logins;
    }),
  );
  return lists.flat();
}

async function probeOne(account: Account, environment: AskOptions['environment']): Promise<Login> {
  const { kind, profile } = account;
  try {
    // What is local is read at every look, too often to start a CLI each time.
    const probe = kind.usageIsLocal === true ? undefined : await kind.probe?.(profile, environment);
    if (probe === undefined) return { account, identity: undefined, answer: undefined };
    const reason = probe.problem === undefined ? {} : { reason: probe.problem };
    if (probe.version === null)
      return { account, identity: undefined, answer: { status: 'unknown', ...reason, windows: [] } };
    if (probe.login === 'not_logged_in')
      return { account, identity: undefined, answer: { status: 'not_logged_in', ...reason, windows: [] } };
    const { identity } = probe;
    if (identity === undefined) return { account, identity, answer: undefined };
    const { identityHash } = await import('./identityHash.ts');
    return { account, identity: await identityHash(environment, kind.id, identity), answer: undefined };
  } catch (error) {
    const answer: Answer = { status: 'unknown', reason: messageOf(error), windows: [] };
    return { account, identity: undefined, answer };
  }
}
