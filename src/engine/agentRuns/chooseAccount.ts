import { formatAccount } from '../../core/accounts/account.ts';
import { pickAccounts, type PickAnswer } from '../../core/accounts/pickAccounts.ts';
import { defaultProfile, type PersonSettings } from '../../core/accounts/personSettings.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { AccountDesk } from '../accounts/accountDesk.ts';
import { listLeases, takeLease } from '../accounts/leases.ts';
import type { Profile } from '../agents/agentKind.ts';
import type { AgentRunContext, AgentRunRequest } from './agentRun.ts';

/** Who takes an account. */
export interface Taker {
  owner: string;
  /** Folder of the process with which the lease lives. */
  holder: string;
  /** Who only reads shares an account with whoever writes. */
  reads: boolean;
}

/** Means the best account that is free, as if none was named. */
const anyProfile = 'pick';

/**
 * The account of a run: the one that was named, else the person's default, else the best one that is free. A writer
 * holds it from here on.
 * @throws AgentKitError `not_found`; `conflict` when a writer has the one that was named; `none_qualifies`
 */
export async function chooseAccount(
  context: AgentRunContext,
  request: Pick<AgentRunRequest, 'kind' | 'profile' | 'model'>,
  settings: PersonSettings,
  taker: Taker,
): Promise<Profile> {
  const desk = new AccountDesk(context);
  const name = namedProfile(context, request, settings);
  if (name === undefined) return pickFree(context, desk, request, taker);
  const profile = await desk.profile(request.kind, name);
  if (taker.reads || (await take(context, profile, taker))) return profile;
  throw await heldBy(context, formatAccount({ kind: profile.kind, profile: profile.name }));
}

/** The account that is named somewhere, the nearest word first; undefined: any. */
function namedProfile(
  { environment }: AgentRunContext,
  { kind, profile }: Pick<AgentRunRequest, 'kind' | 'profile'>,
  settings: PersonSettings,
): string | undefined {
  const said = environment['AGENTKIT_PROFILE'] ?? '';
  const name = profile ?? (said === '' ? defaultProfile(settings, kind) : said);
  return name === anyProfile ? undefined : name;
}

async function pickFree(
  context: AgentRunContext,
  desk: AccountDesk,
  { kind, model }: Pick<AgentRunRequest, 'kind' | 'model'>,
  taker: Taker,
): Promise<Profile> {
  const wanted = { kind, count: Infinity, ...(model !== undefined && { model }) };
  const answer = taker.reads
    ? pickAccounts(await desk.read({ kind }), new Set(), wanted, context.now().toISOString())
    : await desk.pick(wanted);
  for (const chosen of answer.chosen) {
    const profile = await desk.profile(kind, chosen.profile);
    // Somebody else may take it between the look and the lease: then the next one will do.
    if (taker.reads || (await take(context, profile, taker))) return profile;
  }
  throw noneQualifies(kind, answer);
}

function take({ environment }: AgentRunContext, profile: Profile, taker: Taker): Promise<boolean> {
  const account = formatAccount({ kind: profile.kind, profile: profile.name });
  return takeLease({ account, owner: taker.owner, holder: taker.holder, environment });
}

async function heldBy(context: AgentRunContext, account: string): Promise<AgentKitError> {
  const lease = (await listLeases(context)).find((each) => each.account === account);
  const who = lease ? `${lease.owner} since ${lease.taken_at}` : 'another writer';
  return new AgentKitError(
    'conflict',
    `${account} is in use by ${who}; wait for it, name another account, or only read: --read-only`,
  );
}

function noneQualifies(kind: string, { chosen, rejected, next_reset_at: reset }: PickAnswer): AgentKitError {
  if (chosen.length === 0 && rejected.length === 0) {
    return new AgentKitError(
      'not_found',
      `There is no account of kind ${kind}; make one with: ak profiles add ${kind} @one`,
    );
  }
  const why = [
    ...rejected.map((each) => `${formatAccount(each)}: ${each.reason}`),
    ...chosen.map((each) => `${formatAccount(each)}: taken just now`),
  ];
  const until = reset === null ? '' : `; soonest reset: ${reset}`;
  return new AgentKitError(
    'none_qualifies',
    `No account of kind ${kind} qualifies (${why.join('; ')})${until}. One that you name, like @one, is used as it is.`,
  );
}
