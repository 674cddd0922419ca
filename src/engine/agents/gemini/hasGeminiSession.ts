import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonIfThere } from '../../store/atomicFile.ts';
import type { Profile } from '../agentKind.ts';
import { holdsRecords } from '../holdsRecords.ts';
import { listFolder } from '../listFolder.ts';
import { geminiFolder } from './trustGeminiFolder.ts';

const projectsSchema = z.object({ projects: z.record(z.string(), z.string()) });

/** What the CLI itself says first is no conversation: it does not go on with that alone. */
const saidSchema = z.object({
  type: z.literal('user'),
  content: z
    .array(z.object({ text: z.string() }))
    .refine((parts) => parts.some(({ text }) => !isContext(text))),
});
/** One record by itself, or all of those up to then. */
const recordSchema = z.union([
  saidSchema,
  z.object({
    $set: z.object({
      messages: z.array(z.unknown()).refine((all) => all.some((one) => saidSchema.safeParse(one).success)),
    }),
  }),
]);

/** Whether a profile of Gemini can go on with a session in a folder; it knows those that began in that folder only. */
export async function hasGeminiSession(
  profile: Profile,
  session: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const home = geminiFolder(profile, environment);
  const known = await readJsonIfThere(join(home, 'projects.json'), projectsSchema).catch(() => null);
  const project = known?.projects[await realpath(cwd).catch(() => cwd)];
  if (project === undefined) return false;
  const chats = join(home, 'tmp', project, 'chats');
  const ending = `-${session.slice(0, 8)}.jsonl`;
  const first = z.object({ sessionId: z.literal(session) });
  for (const entry of await listFolder(chats).catch(() => [])) {
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue;
    if (await holdsRecords(join(chats, entry.name), { first, said: recordSchema })) return true;
  }
  return false;
}

function isContext(text: string): boolean {
  return text.startsWith('<session_context>');
}
