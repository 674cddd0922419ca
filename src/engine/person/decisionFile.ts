import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { readPrivate } from '../accounts/personSettings.ts';
import { quoteForShell } from '../agents/quoteForShell.ts';
import { writeJson } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';

const lockMs = 10_000;

/**
 * What the person has decided, from a file that nobody else can have written; null where there is none.
 * @throws AgentKitError `refused` when others may write it, `invalid_input` when it is damaged
 */
export async function readDecisions<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readPrivate(file);
  if (text === null) return null;
  const checked = schema.safeParse(parse(text, file));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw damaged(file, `${issue?.path.join('.') || 'the top level'}: ${issue?.message}`);
}

/** Changes the file while nobody else does. A decision that cannot be read is not written over. @throws as above */
export async function changeDecisions<T>(
  { file, lock, schema }: { file: string; lock: string; schema: z.ZodType<T> },
  change: (decisions: T | null) => T,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const work = async () => writeJson(file, change(await readDecisions(file, schema)));
  await withLock(lock, work, { timeoutMs: lockMs });
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(file, messageOf(error));
  }
}

/** To guess what was decided would be to decide. */
function damaged(file: string, what: string): AgentKitError {
  const away = `mv ${quoteForShell(file)} ${quoteForShell(`${file}.damaged`)}`;
  return new AgentKitError(
    'invalid_input',
    `${file} is damaged (${what}), so nothing in it counts; put it away and decide anew: ${away}`,
  );
}
