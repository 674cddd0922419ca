import * as z from 'zod';
import type { Profile, UsageBefore } from '../agentKind.ts';
import { readTail } from '../readTail.ts';
import { findClaudeSessions } from './claudeSessions.ts';

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
  try {
    const [file, ...others] = await findClaudeSessions(profile, session, environment);
    if (file === undefined || others.length > 0) return { cost_usd: null };
    const { text } = await readTail(file);
    return { cost_usd: text.split('\n').flatMap(readCost).at(-1) ?? null };
  } catch {
    return { cost_usd: null };
  }
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
