import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { usageWindowSchema } from '../../core/accounts/usage.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';

const entrySchema = z.object({
  status: z.enum(['ok', 'rate_limited', 'not_logged_in', 'unknown']),
  reason: z.optional(z.string()),
  plan: z.optional(z.string()),
  /** When we last asked, whether or not it worked. */
  asked_at: z.string(),
  /** When the windows were read. */
  read_at: z.string(),
  windows: z.array(usageWindowSchema),
});

const cacheSchema = z.object({ version: z.literal(1), accounts: z.record(z.string(), entrySchema) });

/** What was last read of an account. */
export type UsageEntry = z.output<typeof entrySchema>;

/** Entries by account, `kind/@profile`. A cache that cannot be read is an empty one. */
export async function readUsageCache(file: string): Promise<Map<string, UsageEntry>> {
  const cache = await readJsonIfThere(file, cacheSchema).catch(() => null);
  return new Map(Object.entries(cache?.accounts ?? {}));
}

/** Numbers only, for the owner's eyes only. */
export async function writeUsageCache(file: string, entries: ReadonlyMap<string, UsageEntry>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeJson(file, { version: 1, accounts: Object.fromEntries(entries) }, { durable: false });
}
