/** Replaces the characters from `start` up to `end` by `text`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The one replacement that makes `after` of `before` and leaves what both begin and end with alone. */
export function minimalEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
