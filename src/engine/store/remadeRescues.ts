import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readJsonIfThere, writeJson } from './atomicFile.ts';
import { withLock } from './lock.ts';

const schema = z.object({
  version: z.literal(1),
  /** `at` in RFC 3339 UTC. */
  remade: z.array(z.object({ ref: z.string(), at: z.string() })),
});
const lockMs = 10_000;

/** How long an attempt may look back, in milliseconds: what is older is forgotten. */
const keptMs = 30 * 24 * 3600_000;

export type RemadeRescue = z.output<typeof schema>['remade'][number];

/**
 * Rescues that somebody deleted or moved, and when they were made again. Every attempt of that time must be able to tell
 * of it, also where another process has put it right already. @throws AgentKitError for a damaged file
 */
export async function readRemadeRescues(commonDir: string): Promise<RemadeRescue[]> {
  return (await readJsonIfThere(fileOf(commonDir), schema))?.remade ?? [];
}

export async function noteRemadeRescues(
  commonDir: string,
  refs: readonly string[],
  now: Date,
): Promise<void> {
  if (refs.length === 0) return;
  const file = fileOf(commonDir);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(
    `${file}.lock`,
    async () => {
      const oldest = new Date(now.getTime() - keptMs).toISOString();
      const before = (await readRemadeRescues(commonDir)).filter(({ at }) => at >= oldest);
      const added = refs.map((ref) => ({ ref, at: now.toISOString() }));
      await writeJson(file, { version: 1, remade: [...before, ...added] });
    },
    { timeoutMs: lockMs },
  );
}

function fileOf(commonDir: string): string {
  return join(commonDir, 'agentkit', 'remade-rescues.json');
}
