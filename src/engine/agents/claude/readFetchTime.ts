import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ClaudeAccount } from './askClaude.ts';
import { toTime } from './claudeWindows.ts';

const stateSchema = z.object({ cachedUsageUtilization: z.object({ fetchedAtMs: z.number() }) });

/**
 * When the CLI last fetched the quota, by its state file. When a reading fails it answers with numbers up to an hour
 * old and does not say so. Undefined when the file does not tell, or tells a time to come.
 */
export async function readFetchTime({ profile, inherited }: ClaudeAccount): Promise<string | undefined> {
  const folder = profile.folder ?? inherited['HOME'];
  if (folder === undefined) {
    return undefined;
  }
  try {
    const state: unknown = JSON.parse(await readFile(join(folder, '.claude.json'), 'utf8'));
    const ms = stateSchema.safeParse(state).data?.cachedUsageUtilization.fetchedAtMs;
    return ms === undefined || ms > Date.now() ? undefined : toTime(ms);
  } catch {
    return undefined;
  }
}
