import { commonPath } from './commonPath.ts';
import { dependenciesOf, type Dependent } from './dependencies.ts';

/** Two jobs that may write one path without either waiting for the other. */
export interface PathOverlap {
  a: string;
  b: string;
  globA: string;
  globB: string;
  /** A path that both globs match. */
  example: string;
}

/**
 * Pairs of jobs, in the plan's order, whose `paths` can meet and of which neither depends on the other, even
 * indirectly. One entry a pair, with its first two globs that meet. Jobs without `paths` are not checked.
 */
export function findOverlaps(jobs: (Dependent & { paths: string[] })[]): PathOverlap[] {
  const dependencies = dependenciesOf(jobs);
  const known = new Map<string, string | undefined>();
  const meet = (globA: string, globB: string): string | undefined => {
    const key = JSON.stringify([globA, globB]);
    if (!known.has(key)) known.set(key, commonPath(globA, globB));
    return known.get(key);
  };
  const overlaps: PathOverlap[] = [];
  for (const [index, a] of jobs.entries()) {
    for (const b of jobs.slice(index + 1)) {
      if (dependencies.get(a.id)?.has(b.id) || dependencies.get(b.id)?.has(a.id)) continue;
      const overlap = firstMeeting(a.paths, b.paths, meet);
      if (overlap) overlaps.push({ a: a.id, b: b.id, ...overlap });
    }
  }
  return overlaps;
}

function firstMeeting(
  globsA: string[],
  globsB: string[],
  meet: (globA: string, globB: string) => string | undefined,
): Omit<PathOverlap, 'a' | 'b'> | undefined {
  for (const globA of globsA) {
    for (const globB of globsB) {
      const example = meet(globA, globB);
      if (example !== undefined) return { globA, globB, example };
    }
  }
  return undefined;
}
