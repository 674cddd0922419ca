import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readJsonIfThere, writeJson } from './atomicFile.ts';
import { withLock } from './lock.ts';

const schema = z.object({ version: z.literal(1), refs: z.array(z.string()) });
const lockMs = 10_000;

/** Rescues that a person has given up, by ref: nobody makes them again. @throws AgentKitError for a damaged file */
export async function readDroppedRescues(commonDir: string): Promise<ReadonlySet<string>> {
  return new Set((await readJsonIfThere(fileOf(commonDir), schema))?.refs ?? []);
}

/** Written down before the ref goes, so that it stays gone. */
export async function noteDroppedRescue(commonDir: string, ref: string): Promise<void> {
  const file = fileOf(commonDir);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(
    `${file}.lock`,
    async () => {
      const refs = [...new Set([...(await readDroppedRescues(commonDir)), ref])];
      await writeJson(file, { version: 1, refs });
    },
    { timeoutMs: lockMs },
  );
}

function fileOf(commonDir: string): string {
  return join(commonDir, 'agentkit', 'dropped-rescues.json');
}
