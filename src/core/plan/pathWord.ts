import { slash } from './tokenizeGlob.ts';

/**
 * Where reading a relative path stands: at the start of a segment, after a segment that is so far `.` or `..`,
 * or after any other. Paths never have empty, `.` or `..` segments, so only `name` may end one.
 */
export const pathWords = ['start', 'dot', 'dots', 'name'] as const;
export type PathWord = (typeof pathWords)[number];

/** Code point of the dot. */
export const dot = 0x2e;

/** The next stand, or undefined when no path goes on so. */
export function stepPathWord(word: PathWord, code: number): PathWord | undefined {
  if (code === 0) return undefined;
  if (code === slash) return word === 'name' ? 'start' : undefined;
  if (code !== dot) return 'name';
  return ({ start: 'dot', dot: 'dots', dots: 'name', name: 'name' } as const)[word];
}
