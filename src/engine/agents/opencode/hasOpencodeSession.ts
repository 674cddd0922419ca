import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRow } from '../../store/readRow.ts';
import type { Profile } from '../agentKind.ts';
import { opencodeLogins } from './opencodeHome.ts';

const question = `SELECT 1 FROM session JOIN message ON message.session_id = session.id
  WHERE session.id = ? AND session.directory = ? AND json_extract(message.data, '$.role') = 'user' LIMIT 1`;

/**
 * Whether a profile of OpenCode can go on with a session in a folder, by its database. In another folder than the one
 * where the session began OpenCode answers, but never ends.
 */
export async function hasOpencodeSession(
  profile: Profile,
  session: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const file = join(dirname(opencodeLogins(profile, environment)), 'opencode.db');
  try {
    return readRow(file, question, [session, await realpath(cwd)]) !== undefined;
  } catch {
    // None yet, or that of a version with other tables: then nobody knows.
    return false;
  }
}
