import * as z from 'zod';
import { rescueSchema } from './rescue.ts';

/** What happens to a lane while it is rescued and taken away. */
export const closingEvents = [
  /**
   * What it holds is rescued and then, but for `blocked`, its worktree and branch are taken away: for good, to make
   * room, or to begin anew. Nothing else goes on in the lane until `lane.removed`, `lane.kept` or `lane.blocked`.
   */
  z.object({
    type: z.literal('lane.closing'),
    lane: z.string(),
    why: z.enum(['discard', 'remove', 'restart', 'blocked']),
    request: z.string().exactOptional(),
    /** The person takes it that what the preview named as not kept is lost. */
    accepts_loss: z.literal(true).exactOptional(),
    /** With `blocked`: why the lane stops. */
    message: z.string().exactOptional(),
  }),
  /** All of it can be restored from this. Written before anything is taken away. */
  z.object({ type: z.literal('lane.rescued'), lane: z.string(), rescue: rescueSchema }),
  /** Its worktree is gone, as git and the disk show. After a discard the lane is dropped. */
  z.object({
    type: z.literal('lane.removed'),
    lane: z.string(),
    branch: z.enum(['deleted', 'kept', 'gone']),
    /** What is still there, and why. */
    left: z.array(z.string()),
    /** What failed besides: a teardown, its ports' release. */
    warnings: z.array(z.string()).exactOptional(),
  }),
  /** It was not taken away; nothing was lost. A restart that is not possible blocks the lane. */
  z.object({ type: z.literal('lane.kept'), lane: z.string(), reasons: z.array(z.string()) }),
] as const;
