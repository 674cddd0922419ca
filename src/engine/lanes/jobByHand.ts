import { jobSchema, type Job } from '../../core/plan/plan.ts';

/** The job of a lane that no agent of ours works in by itself; its title is the first line. */
export function jobByHand(id: string, paths: readonly string[]): Job {
  return jobSchema.parse({ id, prompt: `Lane ${id}, made by hand`, paths: [...paths], expects: 'changes' });
}
