import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { usageWindowSchema } from '../../core/accounts/usage.ts';
import type { UsageEntry } from '../../core/accounts/usageEntry.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';

const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time'));

const limitSchema = z.object({
  window: z.exactOptional(z.string()),
  resets_at: z.exactOptional(time),
  one_model: z.exactOptional(z.literal(true)),
  run_model: z.exactOptional(z.string()),
  at: time,
});

const entrySchema = z.object({
  status: z.enum(['ok', 'rate_limited', 'not_logged_in', 'unknown']),
  reason: z.optional(z.string()),
  plan: z.optional(z.string()),
  identity: z.optional(z.string()),
  asked_at: time,
  read_at: z.nullable(time),
  windows: z.array(usageWindowSchema),
  limits: z.optional(z.array(limitSchema)),
});

const cacheSchema = z.object({ version: z.literal(1), accounts: z.record(z.string(), z.unknown()) });

/** Nobody holds it for longer than a read and a write of a small file. */
const lockMs = 10_000;

/** Entries by account, `kind/@profile`. What cannot be read of the cache is not in it. */
export async function readUsageCache(file: string): Promise<Map<string, UsageEntry>> {
  const cache = await readJsonIfThere(file, cacheSchema).catch(() => null);
  return new Map(
    Object.entries(cache?.accounts ?? {}).flatMap(([account, value]) => {
      const entry = entrySchema.safeParse(value);
      return entry.success ? [[account, entry.data] as const] : [];
    }),
  );
}

/**
 * Changes entries of the cache as they are by then, whoever wrote them. It holds numbers and salted hashes only, for
 * the owner's eyes only. Returns all entries.
 */
export async function changeUsageCache(
  state: string,
  change: (entries: Map<string, UsageEntry>) => void,
): Promise<Map<string, UsageEntry>> {
  const files = stateFiles(state);
  await mkdir(dirname(files.usageCache), { recursive: true, mode: 0o700 });
  return withLock(
    files.usageCacheLock,
    async () => {
      const entries = await readUsageCache(files.usageCache);
      change(entries);
      await writeJson(
        files.usageCache,
        { version: 1, accounts: Object.fromEntries(entries) },
        { durable: false },
      );
      return entries;
    },
    { timeoutMs: lockMs },
  );
}
