import { relative } from 'node:path';
import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { Profile } from './agentKind.ts';
import { carryFile } from './carryFile.ts';

/** Where a kind keeps what it said and was told. */
export interface SessionPlace {
  /** Folder below which a profile's sessions lie. */
  homeOf: (profile: Profile) => string;
  /** Files of a session in a profile. @throws when its folders cannot be read */
  filesOf: (profile: Profile, session: string) => Promise<readonly string[]>;
  /** Whether it can be gone on with in a folder. */
  has: (profile: Profile, session: string, cwd: string) => Promise<boolean>;
}

export interface CarriedSession {
  from: Profile;
  to: Profile;
  session: string;
  cwd: string;
}

/**
 * Copies the one file of a session to another profile, to the same place in its home; nothing else of a profile is
 * touched. Repeating it changes nothing, also once the session has gone on there.
 * @throws AgentKitError `not_found` when it is not there or not whole, `refused` where the other profile has another
 * session of that id or a link stands in the way, `no_space`, `internal`
 */
export async function carrySession(place: SessionPlace, carried: CarriedSession): Promise<void> {
  const { from, to, session, cwd } = carried;
  if (!(await place.has(from, session, cwd))) {
    throw new AgentKitError('not_found', `${nameOf(from)} has no session ${session} to go on with`);
  }
  try {
    await carry(place, carried);
  } catch (error) {
    if (error instanceof AgentKitError) throw error;
    const reason = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'no_space' : 'internal';
    const message = `The session ${session} of ${nameOf(from)} cannot be copied to ${nameOf(to)}: ${messageOf(error)}`;
    throw new AgentKitError(reason, message, { cause: error });
  }
}

async function carry(
  { homeOf, filesOf }: SessionPlace,
  { from, to, session }: CarriedSession,
): Promise<void> {
  const [file, ...others] = await filesOf(from, session);
  if (file === undefined || others.length > 0) {
    throw new AgentKitError('refused', `${nameOf(from)} has several files of the session ${session}`);
  }
  const path = relative(homeOf(from), file);
  const there = await filesOf(to, session);
  const elsewhere = there.find((other) => relative(homeOf(to), other) !== path);
  if (elsewhere !== undefined) {
    const message = `${nameOf(to)} has another file of the session ${session}: ${elsewhere}`;
    throw new AgentKitError('refused', message);
  }
  await carryFile({ from: homeOf(from), to: homeOf(to), path });
}

function nameOf({ kind, name }: Profile): string {
  return formatAccount({ kind, profile: name });
}
