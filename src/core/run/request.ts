import * as z from 'zod';

/** What anybody but a run's owner may ask of it; one file in the run's `requests/` each. */
export const requestSchema = z.discriminatedUnion('do', [
  /** `expect` is the target's commit on which the person saw the merge plan. */
  z.object({ id: z.string(), do: z.literal('merge'), lane: z.string(), expect: z.string().exactOptional() }),
  z.object({ id: z.string(), do: z.literal('gate'), lane: z.string() }),
  z.object({ id: z.string(), do: z.literal('retry'), lane: z.string() }),
  z.object({ id: z.string(), do: z.literal('stopLane'), lane: z.string() }),
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
