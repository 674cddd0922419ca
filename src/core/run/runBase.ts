import * as z from 'zod';

/** What lanes start from; the rule by which it was chosen and what is unexpected of it, where it was chosen for a run. */
export const runBaseSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  how: z.string().exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
});

export type RunBase = z.output<typeof runBaseSchema>;
