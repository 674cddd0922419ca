import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Answer } from '../../core/run/request.ts';
import { findProfile } from '../accounts/profiles.ts';
import type { RequestWait } from '../agentKitTypes.ts';
import type { CareSources } from './createLaneCare.ts';

/** The newest session of a lane, if it is there and can be gone on with; else why not, in words. */
export async function canTell(
  { finder, kindsAt, engine }: CareSources,
  lane: string,
): Promise<{ session: string; account: string } | { why: string }> {
  const { state, record } = await finder.find(lane);
  const { id, worktree } = record;
  const attempt = record.attempts.findLast(({ session_id }) => session_id !== undefined);
  if (attempt?.session_id === undefined) return { why: `No agent of lane ${id} has told of a session.` };
  if (worktree === undefined) return { why: `Lane ${id} has no worktree in which its agent could go on.` };
  const { account, session_id: session } = attempt;
  const { kind: name, profile: profileName } = parseAccount(account);
  const kind = (await kindsAt(state.base.sha)).kinds.get(name);
  if (kind?.hasSession === undefined)
    return { why: `An agent of kind ${name} cannot go on with a session of its own.` };
  try {
    const profile = await findProfile(kind, profileName, engine.environment);
    if (await kind.hasSession(profile, session, worktree.path)) return { session, account };
    return { why: `The session of lane ${id} is not there any more under ${account}.` };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return { why: error.message };
  }
}

/** A follow-up in the lane's own session. @throws AgentKitError `refused` where that is not there */
export async function tellLane(
  sources: CareSources,
  lane: string,
  text: string,
  wait: RequestWait = {},
): Promise<Answer> {
  if (text.trim() === '') throw new AgentKitError('usage', 'There is nothing to tell.');
  const found = await canTell(sources, lane);
  if ('why' in found) throw new AgentKitError('refused', found.why);
  const { folder, record } = await sources.finder.find(lane);
  return sources.keeper.request(folder, { do: 'tell', lane: record.id, ...found, text }, wait);
}
