import { findOverlaps, type PathOverlap } from './findOverlaps.ts';
import type { Plan, PlanProblem } from './plan.ts';
import { PlanSource } from './planSource.ts';

/** An overlap with the place of its second glob in the plan's text; counted from 1. */
export interface LocatedOverlap extends PathOverlap {
  line: number;
  column: number;
}

/** The overlaps of a plan, each where its later job names the glob that meets. */
export function locateOverlaps(text: string, { jobs }: Pick<Plan, 'jobs'>): LocatedOverlap[] {
  const overlaps = findOverlaps(jobs);
  if (overlaps.length === 0) return [];
  const source = new PlanSource(text);
  return overlaps.map((overlap) => {
    const index = jobs.findIndex(({ id }) => id === overlap.b);
    const glob = jobs[index]?.paths.indexOf(overlap.globB) ?? 0;
    const { line, column } = source.problemAt(['jobs', index, 'paths', glob], '');
    return { ...overlap, line, column };
  });
}

export function overlapProblem({ line, column, a, b, globA, globB }: LocatedOverlap): PlanProblem {
  return { line, column, message: `${a} and ${b} may write the same file: ${globA} meets ${globB}.` };
}
