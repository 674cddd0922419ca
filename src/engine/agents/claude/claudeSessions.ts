import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { Profile } from '../agentKind.ts';
import type { SessionPlace } from '../carrySession.ts';
import { holdsRecords } from '../holdsRecords.ts';
import { listFolder } from '../listFolder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const saidSchema = z.object({ type: z.literal('user'), message: z.object({ role: z.literal('user') }) });

/**
 * Files of a session, normally one: it lies in the folder of the place where it began, which need not be the one where
 * it goes on. @throws when the folders cannot be read
 */
export async function findClaudeSessions(
  profile: Profile,
  session: string,
  environment: Environment,
): Promise<string[]> {
  const projects = join(claudeFiles(profile, environment), 'projects');
  const places = await listFolder(projects);
  const folders = places.filter((place) => place.isDirectory()).map((place) => join(projects, place.name));
  const found = folders.map(async (folder) => {
    return (await listFolder(folder)).some((entry) => entry.isFile() && entry.name === `${session}.jsonl`)
      ? [join(folder, `${session}.jsonl`)]
      : [];
  });
  return (await Promise.all(found)).flat();
}

/** The sessions of Claude Code, which it goes on with from every folder; it looks at that folder's own first. */
export function claudeSessions(environment: Environment): SessionPlace {
  const filesOf = (profile: Profile, session: string) => findClaudeSessions(profile, session, environment);
  return {
    homeOf: (profile) => claudeFiles(profile, environment),
    filesOf,
    async has(profile, session, cwd) {
      const files = await filesOf(profile, session).catch(() => []);
      const own = (await realpath(cwd).catch(() => cwd)).replace(/[^a-z0-9]/gi, '-');
      const file = files.length > 1 ? files.find((one) => basename(dirname(one)) === own) : files[0];
      return file !== undefined && holdsRecords(file, { said: saidSchema });
    },
  };
}

function claudeFiles(profile: Profile, environment: Environment): string {
  return profile.folder ?? join(environment['HOME'] ?? homedir(), '.claude');
}
