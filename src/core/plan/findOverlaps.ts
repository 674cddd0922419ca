import { commonPathOf, compileGlob, type CompiledGlob } from './commonPath.ts';
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
  const written = jobs.map(({ paths }) => paths.map((glob) => ({ glob, compiled: compileGlob(glob) })));
  const overlaps: PathOverlap[] = [];
  for (const [index, a] of jobs.entries()) {
    for (const [other, b] of jobs.entries()) {
      if (other <= index) continue;
      if (dependencies.get(a.id)?.has(b.id) || dependencies.get(b.id)?.has(a.id)) continue;
      const overlap = firstMeeting(written[index] ?? [], written[other] ?? []);
      if (overlap) overlaps.push({ a: a.id, b: b.id, ...overlap });
    }
  }
  return overlaps;
}

interface WrittenGlob {
  glob: string;
  compiled: CompiledGlob;
}

function firstMeeting(a: WrittenGlob[], b: WrittenGlob[]): Omit<PathOverlap, 'a' | 'b'> | undefined {
  for (const { glob: globA, compiled } of a) {
    for (const { glob: globB, compiled: other } of b) {
      const example = commonPathOf(compiled, other);
      if (example !== undefined) return { globA, globB, example };
    }
  }
  return undefined;
}
