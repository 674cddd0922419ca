import type * as z from 'zod';

/** A line of JSON that a schema knows; null for every other, whatever it is. */
export function readRecord<T extends z.ZodType>(schema: T, line: string): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
