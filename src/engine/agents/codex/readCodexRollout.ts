import type { AgentSignal, Profile } from '../agentKind.ts';
import { readTail } from '../readTail.ts';
import { parseCodexRollout } from './codexRollout.ts';
import { findCodexRollout } from './findCodexRollout.ts';

/**
 * What the file of a thread tells about how its last turn failed: the stream has neither a code nor the time of a
 * reset. Nothing when there is no such file or it cannot be read.
 */
export async function readCodexRollout(
  profile: Profile,
  session: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<AgentSignal[]> {
  if (session === undefined) {
    return [];
  }
  try {
    const file = await findCodexRollout(profile, session, environment);
    return file === null ? [] : parseCodexRollout((await readTail(file)).text);
  } catch {
    return [];
  }
}
