import type { Finding } from './finding.ts';
import { locate } from './locate.ts';
import { makeFinding } from './makeFinding.ts';
import { readTap, type TapPoint } from './readTap.ts';

/** `fn (file:///lane/test/a.js:7:12)` or `at /lane/test/a.js:7:12`; names may hold spaces and brackets. */
const absoluteFrame = /(?<![\w.])(file:\/\/.*|\/.*):(\d+):(\d+)\)?\s*$/;
/** `fn (test/a.js:7:12)` */
const relativeFrame = /(?:^|\()([\w.][^():]*\/[^():]*):(\d+):(\d+)\)?\s*$/;

interface Place {
  path: string;
  line: number;
  column: number;
}

/**
 * Failures of a TAP stream, one a test that failed by itself: points that only repeat a failure below them are
 * left out. Each stands at the innermost stack line inside the worktree, else where the test is defined.
 */
export function parseTap(output: string, worktree: string): Finding[] {
  const { points, bailOut } = readTap(output);
  const findings = points
    .filter((point) => !point.ok && !point.failedBelow)
    .map((point) => {
      const place = stackPlace(point, worktree) ?? definedAt(point);
      return makeFinding(
        { ...place, severity: 'error', message: messageOfPoint(point), code: point.diagnostics.get('code') },
        worktree,
      );
    });
  if (bailOut === undefined) return findings;
  return [...findings, makeFinding({ severity: 'error', message: `Bail out! ${bailOut}` }, worktree)];
}

function messageOfPoint({ names, diagnostics }: TapPoint): string {
  const name = names.filter((text) => text !== '').join(' > ');
  const error = (diagnostics.get('error') ?? diagnostics.get('message') ?? '').replace(/\n\s*(?=\n|$)/g, '');
  return error === '' ? name || 'a test failed' : `${name}: ${error}`;
}

/** The line that failed says more than the line where the test starts. */
function stackPlace({ diagnostics }: TapPoint, worktree: string): Place | undefined {
  const stack = `${diagnostics.get('stack') ?? ''}\n${diagnostics.get('at') ?? ''}`;
  for (const line of stack.split('\n')) {
    const [, path, row, column] = absoluteFrame.exec(line) ?? relativeFrame.exec(line) ?? [];
    const file = path === undefined ? null : locate(path, worktree);
    if (file === null || /(^|\/)node_modules\//.test(file)) continue;
    return { path: file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** node's `location: 'file:line:column'`, or node-tap's `at` with keys of its own. */
function definedAt({ diagnostics }: TapPoint): Place | undefined {
  const [, path, line, column] = /^(.*):(\d+):(\d+)$/.exec(diagnostics.get('location') ?? '') ?? [];
  if (path !== undefined) return { path, line: Number(line), column: Number(column) };
  const at = diagnostics.get('at') ?? '';
  const field = (name: string): string | undefined => new RegExp(`^${name}: *(.*)$`, 'm').exec(at)?.[1];
  const file = field('file') ?? field('fileName');
  if (file === undefined) return undefined;
  return {
    path: file,
    line: Number(field('line') ?? field('lineNumber') ?? 1),
    column: Number(field('column') ?? field('columnNumber') ?? 1),
  };
}
