/** One located message of a check. Lines and columns count from 1. */
export interface Finding {
  /** Relative to the worktree, with `/`; null when the message names no file. */
  file: string | null;
  line: number;
  column: number;
  severity: 'error' | 'warning';
  message: string;
  /** Rule or code of the tool, like `no-unused-vars` or `TS2322`. */
  code?: string;
}

export type CheckStatus = 'passed' | 'failed' | 'timeout' | 'interrupted';

/** What one check of a gate came to. */
export interface CheckResult {
  name: string;
  status: CheckStatus;
  /** Null when the command never started or was killed. */
  exit: number | null;
  duration_s: number;
  findings: Finding[];
  /** Findings beyond the first hundred, which are not kept. */
  more_findings: number;
  /** Why it did not pass, in one line. */
  message?: string;
}

export type GateStatus = 'none' | 'running' | 'passed' | 'failed' | 'timeout' | 'interrupted';
