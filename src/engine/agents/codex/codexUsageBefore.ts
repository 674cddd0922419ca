import * as z from 'zod';
import type { Profile, UsageBefore } from '../agentKind.ts';
import { readTail } from '../readTail.ts';
import { findCodexRollout } from './findCodexRollout.ts';

const countSchema = z.object({
  type: z.literal('event_msg'),
  payload: z.object({
    type: z.literal('token_count'),
    // Null until the model has answered for the first time.
    info: z.object({
      total_token_usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
    }),
  }),
});

const unknown = { input_tokens: null, output_tokens: null };

/** What a thread had used up to now, by the last count in its file: its stream goes on counting from there. */
export async function codexUsageBefore(
  profile: Profile,
  session: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<UsageBefore> {
  try {
    const file = await findCodexRollout(profile, session, environment);
    if (file === null) return unknown;
    const { text, whole } = await readTail(file);
    const last = text.split('\n').flatMap(readCount).at(-1);
    return last ?? (whole ? { input_tokens: 0, output_tokens: 0 } : unknown);
  } catch {
    return unknown;
  }
}

function readCount(line: string): { input_tokens: number; output_tokens: number }[] {
  if (!line.includes('"token_count"')) return [];
  try {
    const count = countSchema.safeParse(JSON.parse(line)).data;
    return count === undefined ? [] : [count.payload.info.total_token_usage];
  } catch {
    return [];
  }
}
