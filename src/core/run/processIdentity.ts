import * as z from 'zod/mini';

/** One process, told apart from a later one with the same id by its start time and the boot. */
export const processIdentitySchema = z.object({ pid: z.number(), started: z.string(), boot: z.string() });

export type ProcessIdentity = z.output<typeof processIdentitySchema>;
