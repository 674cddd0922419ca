import * as z from 'zod';

/** A commit from which all that a lane held can be restored, as the journal keeps it. */
export const rescueSchema = z.object({
  ref: z.string(),
  commit: z.string(),
  /** RFC 3339 UTC. */
  at: z.string(),
  why: z.enum(['discard', 'restart', 'remove', 'blocked']),
  /** Nonce of the worktree that it was made of. */
  nonce: z.string(),
  /** Tip of the lane's branch; null when that was gone. */
  tip: z.string().nullable(),
  head: z.string(),
  files: z.number(),
  bytes: z.number(),
  /** Where ignored files are kept beside the runs. */
  archive: z.object({ file: z.string(), bytes: z.number(), files: z.number() }).nullable(),
  /** What we put there ourselves and dependency folders. */
  left_out: z.array(z.string()),
  not_kept: z.array(z.object({ path: z.string(), reason: z.string() })),
});

export type RescueRecord = z.output<typeof rescueSchema>;

/** Something outside of a lane that changed while its agent ran. */
export const foreignChangeSchema = z.object({
  what: z.enum(['ref', 'config', 'hooks', 'main', 'rescue']),
  name: z.string(),
  message: z.string(),
});

export type ForeignChange = z.output<typeof foreignChangeSchema>;
