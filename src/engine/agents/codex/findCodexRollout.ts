import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../agentKind.ts';
import { listFolder } from '../listFolder.ts';
import { isThreadId } from './codexArguments.ts';

/** Folder that a profile's files lie in. */
export function codexFiles(
  profile: Profile,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return profile.folder ?? join(environment['HOME'] ?? homedir(), '.codex');
}

/** The file of a thread; null when there is none. @throws when its folders cannot be read */
export async function findCodexRollout(
  profile: Profile,
  session: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (!isThreadId(session)) {
    return null;
  }
  const sessions = join(codexFiles(profile, environment), 'sessions');
  return findBelow(sessions, 3, `-${session.toLowerCase()}.jsonl`);
}

/** Threads lie in year, month and day; a resumed one stays where it began. The latest folders are looked at first. */
async function findBelow(folder: string, depth: number, ending: string): Promise<string | null> {
  const entries = await listFolder(folder);
  if (depth === 0) {
    const found = entries.find((entry) => entry.isFile() && entry.name.endsWith(ending));
    return found ? join(folder, found.name) : null;
  }
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort().reverse()) {
    const found = await findBelow(join(folder, name), depth - 1, ending);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
