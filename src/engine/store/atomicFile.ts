import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import '../../core/zodMessages.ts';

export interface WriteOptions {
  /** Permission bits; 0600 when left out. */
  mode?: number;
  /** Whether the bytes and the name survive a power loss once this has resolved; true when left out. */
  durable?: boolean;
}

/** Writes a JSON file whole: readers see the old content or the new, never a part. Its folder must exist. */
export async function writeJson(file: string, value: unknown, options: WriteOptions = {}): Promise<void> {
  await writeText(file, JSON.stringify(value, undefined, 2) + '\n', options);
}

/** Writes a text file whole, like `writeJson`. */
export async function writeText(file: string, text: string, options: WriteOptions = {}): Promise<void> {
  const durable = options.durable ?? true;
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, text, { mode: options.mode ?? 0o600, fsync: durable }).catch(
    (error: unknown) => {
      // A full disk names no file by itself.
      if (error instanceof Error) error.message = `${file} cannot be written: ${error.message}`;
      throw error;
    },
  );
  if (durable) {
    await syncFolder(dirname(file));
  }
}

/** Makes names that were created or renamed in a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads and checks a JSON file.
 * @throws AgentKitError `not_found` when it is not there, `invalid_input` naming the file and what is wrong in it
 */
export async function readJson<T>(file: string, schema: z.core.$ZodType<T>): Promise<T> {
  const value = await readJsonIfThere(file, schema);
  if (value === null) {
    throw new AgentKitError('not_found', `${file} does not exist`);
  }
  return value;
}

/** As `readJson`, with null for a file that is not there. */
export async function readJsonIfThere<T>(file: string, schema: z.core.$ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AgentKitError('invalid_input', `${file} is not valid JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const checked = z.safeParse(schema, value);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue?.path.join('.') || 'the top level';
    throw new AgentKitError('invalid_input', `${file} is not as it should be: ${where}: ${issue?.message}`, {
      cause: checked.error,
    });
  }
  return checked.data;
}
