import * as z from 'zod';

/** How the next agent of a lane goes on with what is there. */
export const nextAttemptSchema = z.discriminatedUnion('how', [
  /** The same conversation, under another account of the kind. */
  z.object({ how: z.literal('continue'), kind: z.string(), session: z.string(), from: z.string() }),
  /** A new conversation of any kind, which is told what is there. */
  z.object({ how: z.literal('handover') }),
  /** The same conversation under the same account, with what a person has to say. */
  z.object({ how: z.literal('tell'), session: z.string(), account: z.string(), text: z.string() }),
]);

export type NextAttempt = z.output<typeof nextAttemptSchema>;
