import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Profile, UsageBefore } from '../agentKind.ts';
import { readTail } from '../readTail.ts';

const costSchema = z.object({ type: z.literal('cost-state'), totalCostUSD: z.number() });

/**
 * What a session had cost up to now, by the last record of it in its file: the CLI goes on counting from there. The
 * tokens of `usage` are those of the run. Not known where no file tells it, as with version 2.1.197, or several do.
 */
export async function claudeUsageBefore(
  profile: Profile,
  session: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<UsageBefore> {
  const home = profile.folder ?? join(environment['HOME'] ?? homedir(), '.claude');
  try {
    const [file, ...others] = await findSession(join(home, 'projects'), `${session}.jsonl`);
    if (file === undefined || others.length > 0) return { cost_usd: null };
    const { text } = await readTail(file);
    return { cost_usd: text.split('\n').flatMap(readCost).at(-1) ?? null };
  } catch {
    return { cost_usd: null };
  }
}

/** A session lies in the folder of the place where it began, which need not be the one where it goes on. */
async function findSession(projects: string, name: string): Promise<string[]> {
  const places = await readdir(projects, { withFileTypes: true });
  const folders = places.filter((place) => place.isDirectory()).map((place) => join(projects, place.name));
  const found = folders.map(async (folder) =>
    (await readdir(folder)).includes(name) ? [join(folder, name)] : [],
  );
  return (await Promise.all(found)).flat();
}

function readCost(line: string): number[] {
  if (!line.includes('"cost-state"')) return [];
  try {
    const state = costSchema.safeParse(JSON.parse(line)).data;
    return state === undefined ? [] : [state.totalCostUSD];
  } catch {
    return [];
  }
}
