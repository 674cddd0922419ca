import type { PlanProblem } from '../plan/plan.ts';

/**
 * Reads lines of `KEY=value`, as a shell would without expanding anything: empty lines and comments are passed over,
 * `export` and quotes around a value are allowed, the last line of a key counts.
 */
export function parseEnvironmentFile(
  text: string,
): { values: ReadonlyMap<string, string> } | { problems: PlanProblem[] } {
  const values = new Map<string, string>();
  const problems: PlanProblem[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const found = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    if (found === null) {
      const column = line.search(/\S/) + 1;
      problems.push({ line: index + 1, column, message: 'is not KEY=value' });
    } else {
      values.set(found[1] ?? '', unquote(found[2] ?? ''));
    }
  }
  return problems.length > 0 ? { problems } : { values };
}

/** Without its quotes, or without the comment that follows a bare value. */
function unquote(value: string): string {
  const quoted = /^(["'])(.*?)\1(\s+#.*)?$/.exec(value);
  return quoted ? (quoted[2] ?? '') : value.replace(/(^|\s+)#.*$/, '');
}
