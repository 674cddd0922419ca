import * as z from 'zod';
import { jobSchema } from '../plan/plan.ts';
import { ownSettingsSchema } from './ownSettings.ts';
import { laneIdentitySchema, worktreeSchema } from './runEvent.ts';

const resumed = z.literal(true).exactOptional();

/** What anybody but a run's owner may ask of it; one file in the run's `requests/` each. */
export const requestSchema = z.discriminatedUnion('do', [
  /** `expect` is the target's commit on which the person saw the merge plan. */
  z.object({ id: z.string(), do: z.literal('merge'), lane: z.string(), expect: z.string().exactOptional() }),
  /** `resumed`: by whoever resumes the run, and has not looked at this lane. */
  z.object({ id: z.string(), do: z.literal('gate'), lane: z.string(), resumed }),
  z.object({ id: z.string(), do: z.literal('retry'), lane: z.string(), resumed }),
  z.object({ id: z.string(), do: z.literal('stopLane'), lane: z.string() }),
  /** Rescues the lane and takes its worktree and branch away. */
  z.object({
    id: z.string(),
    do: z.literal('discard'),
    lane: z.string(),
    accepts_loss: z.literal(true).exactOptional(),
  }),
  /** Takes away the worktree of a lane that is merged or dropped; rescues first what is in it. */
  z.object({
    id: z.string(),
    do: z.literal('remove'),
    lane: z.string(),
    accepts_loss: z.literal(true).exactOptional(),
  }),
  /** A follow-up in the lane's own session, which is known to be there. */
  z.object({
    id: z.string(),
    do: z.literal('tell'),
    lane: z.string(),
    session: z.string(),
    account: z.string(),
    text: z.string(),
  }),
  /** A lane by hand, of the standing run only; its name was chosen in a turn. */
  z.object({
    id: z.string(),
    do: z.literal('addLane'),
    lane: z.string(),
    job: jobSchema,
    own: ownSettingsSchema,
    worktree: worktreeSchema,
    restores: z.string().exactOptional(),
    adopts: laneIdentitySchema.exactOptional(),
    /** The branch that is checked out now, for a run that has none to merge into. */
    target: z.object({ ref: z.string(), sha: z.string() }).exactOptional(),
    /** What a person may not expect of its base or its folder. */
    warnings: z.array(z.string()).exactOptional(),
  }),
  z.object({ id: z.string(), do: z.literal('stopRun') }),
]);

export type Request = z.output<typeof requestSchema>;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type RequestBody = WithoutId<Request>;

/** The owner's answer, as it stands in the journal. */
export interface Answer {
  ok: boolean;
  reason?: string;
  message: string;
}
