import { open } from 'node:fs/promises';
import type * as z from 'zod';
import { readRecord } from './readRecord.ts';

export interface SessionRecords {
  /** What its first line has to be; missing: any. */
  first?: z.ZodType;
  /** What has to be in it, else there is nothing to go on with. */
  said: z.ZodType;
}

/**
 * Whether the file of a session can be gone on with: it begins as it should, and what the person said is in it. Lines
 * that a crash tore count for nothing, as with the CLIs. False where it cannot be read.
 */
export async function holdsRecords(file: string, { first, said }: SessionRecords): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      let isFirst = true;
      for await (const line of handle.readLines()) {
        if (isFirst && first !== undefined && readRecord(first, line) === null) return false;
        if (readRecord(said, line) !== null) return true;
        isFirst = false;
      }
      return false;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}
