import { join } from 'node:path';
import * as z from 'zod';
import type { SessionPlace } from './carrySession.ts';
import { holdsRecords } from './holdsRecords.ts';
import { listFolder } from './listFolder.ts';

const saidSchema = z.object({ type: z.literal('told') });

/** Folder of the sessions of a demo account, by that of the account. */
export function demoSessionFolder(profile: string): string {
  return join(profile, 'sessions');
}

/** The sessions of the demo agent, which it goes on with in every folder. */
export const demoSessions: SessionPlace = {
  homeOf: ({ folder }) => folder ?? '',
  async filesOf({ folder }, session) {
    if (folder === null) return [];
    const entries = await listFolder(demoSessionFolder(folder));
    const found = entries.filter((entry) => entry.isFile() && entry.name === `${session}.jsonl`);
    return found.map(({ name }) => join(demoSessionFolder(folder), name));
  },
  async has(profile, session) {
    const [file] = await demoSessions.filesOf(profile, session).catch(() => []);
    const first = z.object({ type: z.literal('session'), id: z.literal(session) });
    return file !== undefined && holdsRecords(file, { first, said: saidSchema });
  },
};
