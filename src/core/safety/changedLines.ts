/** The lines that differ between two texts, old ones behind `- ` and new ones behind `+ `; equal ends are left out. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  return [...middle(old).map((line) => `- ${line}`), ...middle(now).map((line) => `+ ${line}`)];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
