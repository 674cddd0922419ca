import type { Finding } from './finding.ts';
import { makeFinding } from './makeFinding.ts';
import { stripAnsi } from './stripAnsi.ts';

/** `  3:7  error  Message text  rule-id`; a parsing error names no rule */
const row = /^\s+(\d+):(\d+)\s+(error|warning)\s+(.*)$/;
const ruleAtEnd = /^(.*\S)\s{2,}([\w@-]+(?:\/[\w@-]+)*)$/;

/** Findings of ESLint's default format: a line with the file, then its rows, then an empty line. */
export function parseEslintStylish(output: string, worktree: string): Finding[] {
  const findings: Finding[] = [];
  let path: string | undefined;
  for (const line of stripAnsi(output).split('\n')) {
    const [, lineNumber, column, severity, text] = row.exec(line) ?? [];
    if (text === undefined) {
      path = /^\S/.test(line) ? line.trimEnd() : undefined;
    } else if (path !== undefined) {
      const [, message = text, code] = ruleAtEnd.exec(text.trimEnd()) ?? [];
      findings.push(
        makeFinding(
          {
            path,
            line: Number(lineNumber),
            column: Number(column),
            severity: severity === 'warning' ? 'warning' : 'error',
            message,
            code,
          },
          worktree,
        ),
      );
    }
  }
  return findings;
}
