import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { findProfile } from '../accounts/profiles.ts';
import { mayContinue } from '../person/mayContinue.ts';
import type { RunContext } from './runContext.ts';

/**
 * Whether the conversation of a lane's newest attempt can go on under another account of its vendor: the kind can carry
 * it, it is there, and the person has given the word. Else why not, with what would help.
 */
export async function mayGoOnElsewhere(
  run: RunContext,
  { account = '', worktree }: LaneRecord,
  session: string | undefined,
): Promise<true | string> {
  const { kind: name, profile: profileName } = parseAccount(account);
  const kind = run.kinds.get(name);
  if (kind?.carrySession === undefined || kind.hasSession === undefined)
    return `a conversation with an agent of kind ${name} stays with its account`;
  const refusal = await mayContinue(kind, run.environment);
  if (refusal !== null) return refusal;
  try {
    const profile = await findProfile(kind, profileName, run.environment);
    if (session !== undefined && (await kind.hasSession(profile, session, worktree?.path ?? ''))) return true;
    return `its session is not there any more under ${account}`;
  } catch (error) {
    if (error instanceof AgentKitError) return error.message;
    throw error;
  }
}
