import { setTimeout as wait } from 'node:timers/promises';
import { formatAccount } from '../../core/accounts/account.ts';
import { noneQualifies } from '../../core/accounts/noneQualifies.ts';
import { defaultProfile, type PersonSettings } from '../../core/accounts/personSettings.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { requireIncluded } from '../accounts/knownLogin.ts';
import { takeLease, type Lease, type LeaseOwner } from '../accounts/leases.ts';
import { pickAndLease } from '../accounts/pickAndLease.ts';
import { findProfile } from '../accounts/profiles.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import type { AgentRunContext, AgentRunRequest } from './agentRun.ts';
import { writersOf } from './writersOf.ts';

/** Means the best account that is free, as if none was named. */
const anyProfile = 'pick';
/** How often it is tried again for an account whose last writer has only just begun, in milliseconds. */
const restMs = 250;

export interface Choice {
  context: AgentRunContext;
  kind: AgentKind;
  request: Pick<AgentRunRequest, 'profile' | 'model'>;
  settings: PersonSettings;
  /** Who takes the account, from here on. */
  owner: LeaseOwner;
  stop: AbortSignal;
}

/**
 * The account of a run, taken: the one that was named, else the person's default, else the best one that is free.
 * @throws AgentKitError `not_found`; `refused` for an account that the person left out; `conflict` when writers have
 *   the one that was named; `none_qualifies`
 */
export async function chooseAccount(choice: Choice): Promise<Profile> {
  const { context, kind } = choice;
  const name = namedProfile(choice);
  const profile = await findProfile(kind, name ?? (await pickFree(choice)), context.environment);
  if (name !== undefined) await take(choice, profile);
  return profile;
}

/** The account that is named somewhere, the nearest word first; undefined: any. */
function namedProfile({ context, kind, request, settings }: Choice): string | undefined {
  const said = context.environment['AGENTKIT_PROFILE'] ?? '';
  const name = request.profile ?? (said === '' ? defaultProfile(settings, kind.id) : said);
  return name === anyProfile ? undefined : name;
}

async function pickFree({ context, kind, request, owner }: Choice): Promise<string> {
  const { model } = request;
  const wanted = { kind: kind.id, ...(model !== undefined && { model }) };
  const answer = await pickAndLease(wanted, owner, context);
  const [chosen] = answer.chosen;
  if (chosen) return chosen.profile;
  throw noneQualifies(kind.id, answer);
}

async function take({ context, owner, stop }: Choice, profile: Profile): Promise<void> {
  const { environment } = context;
  const account = formatAccount({ kind: profile.kind, profile: profile.name });
  const { slots } = await requireIncluded(account, environment);
  while (!(await takeLease({ ...owner, account, environment }))) {
    const writers = await writersOf(account, environment);
    // With a slot free it has to wait only because writers under one login begin one after another.
    if (writers.length >= slots) throw inUse(account, writers);
    await wait(restMs);
    if (stop.aborted) throw new AgentKitError('cancelled', `Cancelled while ${account} was waited for`);
  }
}

function inUse(account: string, writers: readonly Lease[]): AgentKitError {
  const who = writers.map((each) => `${each.owner} since ${each.taken_at}`).join(', ');
  return new AgentKitError(
    'conflict',
    `${account} is in use by ${who}; wait for it, name another account, or only read: --read-only`,
  );
}
