/** `- ` begins an entry of a list; its keys stand as deep as those on the lines that follow. */
function withoutDashes(line: string): string {
  return line.replace(/^\s*(?:- +)+/, (marks) => ' '.repeat(marks.length));
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The keys of a YAML text under which a line stands, outermost first; a line that is no `key:` counts as `''`.
 *
 * @param index Line, from 0.
 */
export function keysAbove(lines: readonly string[], index: number): string[] {
  const keys: string[] = [];
  let depth = depthOf(withoutDashes(lines[index] ?? ''));
  for (const raw of lines.slice(0, index).toReversed()) {
    const line = withoutDashes(raw);
    if (depth === 0) break;
    if (line.trim() === '' || line.trimStart().startsWith('#') || depthOf(line) >= depth) continue;
    depth = depthOf(line);
    keys.unshift(/^\s*([A-Za-z_]+):/.exec(line)?.[1] ?? '');
  }
  return keys;
}
