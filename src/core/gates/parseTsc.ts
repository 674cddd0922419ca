import type { Finding } from './finding.ts';
import { makeFinding, type PrintedFinding } from './makeFinding.ts';
import { stripAnsi } from './stripAnsi.ts';

/** `src/a.ts(3,7): error TS2322: …` */
const plain = /^(\S.*?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$/;
/** `src/a.ts:3:7 - error TS2322: …`, as with `--pretty` */
const pretty = /^(\S.*?):(\d+):(\d+) - (error|warning) (TS\d+): (.*)$/;
/** `error TS18003: …`, about no file */
const general = /^(error|warning) (TS\d+): (.*)$/;

/** Findings of TypeScript's compiler, plain or pretty; indented lines right behind a message belong to it. */
export function parseTsc(output: string, worktree: string): Finding[] {
  const found: PrintedFinding[] = [];
  let open: PrintedFinding | undefined;
  for (const line of stripAnsi(output).split('\n')) {
    const next = readLine(line);
    if (next) {
      open = next;
      found.push(next);
    } else if (open && /^ {2}\s*\S/.test(line)) {
      open.message += `\n${line.trimEnd()}`;
    } else {
      open = undefined;
    }
  }
  return found.map((printed) => makeFinding(printed, worktree));
}

function readLine(line: string): PrintedFinding | undefined {
  const [, path, row, column, severity, code, message] = plain.exec(line) ?? pretty.exec(line) ?? [];
  if (message !== undefined) {
    return { path, line: Number(row), column: Number(column), severity: severityOf(severity), code, message };
  }
  const [, kind, number, text] = general.exec(line) ?? [];
  return text === undefined ? undefined : { severity: severityOf(kind), code: number, message: text };
}

function severityOf(word: string | undefined): Finding['severity'] {
  return word === 'warning' ? 'warning' : 'error';
}
