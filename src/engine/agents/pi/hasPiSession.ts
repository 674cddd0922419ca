import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Profile } from '../agentKind.ts';
import { holdsRecords } from '../holdsRecords.ts';
import { listFolder } from '../listFolder.ts';

const saidSchema = z.object({ type: z.literal('message'), message: z.object({ role: z.literal('user') }) });

/**
 * Whether a profile of Pi can go on with a session in a folder. Where it cannot, Pi begins another of that id, without
 * a word in its stream; of several files it takes any.
 */
export async function hasPiSession(
  profile: Profile,
  session: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const home = profile.folder ?? join(environment['HOME'] ?? homedir(), '.pi', 'agent');
  const place = await realpath(cwd).catch(() => cwd);
  const folder = join(home, 'sessions', `--${place.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`);
  const entries = await listFolder(folder).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(`_${session}.jsonl`));
  const [file, ...others] = files.map(({ name }) => join(folder, name));
  if (file === undefined || others.length > 0) return false;
  const first = z.object({ type: z.literal('session'), id: z.literal(session), cwd: z.literal(place) });
  return holdsRecords(file, { first, said: saidSchema });
}
