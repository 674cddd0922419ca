import * as z from 'zod';
import type { Profile } from '../agentKind.ts';
import type { SessionPlace } from '../carrySession.ts';
import { holdsRecords } from '../holdsRecords.ts';
import { codexFiles, findCodexRollout } from './findCodexRollout.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the person said, told by an event that comes after the record of it. */
const saidSchema = z.object({
  type: z.literal('event_msg'),
  payload: z.union([
    z.object({ type: z.literal('item_completed'), item: z.object({ type: z.literal('UserMessage') }) }),
    z.object({ type: z.literal('user_message') }),
  ]),
});

/** The threads of Codex, which it goes on with from every folder. */
export function codexSessions(environment: Environment): SessionPlace {
  const filesOf = async (profile: Profile, session: string) => {
    const file = await findCodexRollout(profile, session, environment);
    return file === null ? [] : [file];
  };
  return {
    homeOf: (profile) => codexFiles(profile, environment),
    filesOf,
    async has(profile, session) {
      const [file] = await filesOf(profile, session).catch(() => []);
      return file !== undefined && holdsRecords(file, { first: metaOf(session), said: saidSchema });
    },
  };
}

/** Without its own first record Codex takes the file for none, or for that of another thread. */
function metaOf(session: string) {
  return z.object({
    type: z.literal('session_meta'),
    payload: z.object({ id: z.literal(session.toLowerCase()) }),
  });
}
