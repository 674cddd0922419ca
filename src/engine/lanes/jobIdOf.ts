import { jobSchema } from '../../core/plan/plan.ts';
import { slug } from '../../core/plan/slug.ts';

/** The job of a lane by hand; a lane's id may name its run too. */
export function jobIdOf(lane: string): string {
  const name = lane.slice(lane.lastIndexOf('/') + 1);
  return jobSchema.shape.id.safeParse(name).success ? name : slug(name);
}
