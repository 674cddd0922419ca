import { formatAccount, normalAccount, parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { findProfile } from '../accounts/profiles.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { mayContinue } from '../person/mayContinue.ts';
import type { RunContext } from './runContext.ts';

/**
 * The session that the lane's newest attempt goes on with, proven to be there for its account; at a limit it is carried
 * over from the account before. Undefined for a fresh conversation. Repeatable.
 * @throws AgentKitError `refused` saying why it cannot go on; the session stays where it is
 */
export async function resumedSession(
  run: RunContext,
  lane: LaneRecord,
  kind: AgentKind,
  profile: Profile,
): Promise<string | undefined> {
  const next = lane.attempts.at(-1)?.next;
  if (next === undefined || next.how === 'handover') return undefined;
  const cwd = lane.worktree?.path ?? '';
  const { session } = next;
  // After its reset the account of before may be the next one.
  const isSame =
    next.how === 'continue' &&
    normalAccount(next.from) === normalAccount(formatAccount({ kind: kind.id, profile: profile.name }));
  if (next.how === 'continue' && !isSame) await carry(run, kind, profile, { ...next, cwd });
  if (await kind.hasSession?.(profile, session, cwd)) return session;
  throw new AgentKitError(
    'refused',
    `The session ${session} is not there under ${kind.id}/${profile.name}, so its agent cannot go on; try the lane again to begin a new conversation.`,
  );
}

async function carry(
  { environment }: RunContext,
  kind: AgentKind,
  to: Profile,
  { from, session, cwd }: { from: string; session: string; cwd: string },
): Promise<void> {
  const refusal = await mayContinue(kind, environment);
  if (refusal !== null) throw new AgentKitError('refused', refusal);
  if (kind.carrySession === undefined)
    throw new AgentKitError('refused', `A session of ${kind.label} cannot go on under another account.`);
  try {
    const before = await findProfile(kind, parseAccount(from).profile, environment);
    await kind.carrySession(before, to, session, cwd);
  } catch (error) {
    // For want of this session only: the account itself is in order.
    if (!(error instanceof AgentKitError)) throw error;
    const why = `The conversation could not go on under ${kind.id}/${to.name}: ${messageOf(error)}`;
    throw new AgentKitError('refused', why, { cause: error });
  }
}
