import type { Finding } from './finding.ts';
import { locate } from './locate.ts';

/** What a tool said about a place, before the place is known to lie in the worktree. */
export interface PrintedFinding {
  /** As printed; undefined when the tool named no file. */
  path?: string | undefined;
  line?: number;
  column?: number;
  severity: Finding['severity'];
  message: string;
  code?: string | undefined;
}

/** Longest message that is kept, in characters: more is no message any more. */
const maxMessage = 2000;

/** A finding on a file of the worktree, or on none: then its message says where the tool saw it. */
export function makeFinding(printed: PrintedFinding, worktree: string): Finding {
  const file = printed.path === undefined ? null : locate(printed.path, worktree);
  const line = Math.max(1, printed.line ?? 1);
  const outside = file === null && printed.path !== undefined ? `${printed.path}:${line}: ` : '';
  const message = outside + printed.message.trim();
  return {
    file,
    line: file === null ? 1 : line,
    column: file === null ? 1 : Math.max(1, printed.column ?? 1),
    severity: printed.severity,
    message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message,
    ...(printed.code === undefined ? {} : { code: printed.code }),
  };
}
