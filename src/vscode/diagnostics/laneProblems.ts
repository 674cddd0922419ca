import { posix } from 'node:path';
import type { CheckView, LaneView } from '../../core/lanes/laneView.ts';
import type { Translate } from '../platform/render.ts';

/** Problems that one check may add; the last of them tells how many more there are. */
const mostPerCheck = 100;

/** A finding of a gate as the Problems view shows it. Lines and columns count from 1. */
export interface LaneProblem {
  /** Absolute path in the lane's worktree. */
  file: string;
  line: number;
  column: number;
  severity: 'error' | 'warning';
  message: string;
  code?: string;
  /** `AgentKit (test)`. */
  source: string;
}

/** The located findings of a lane's newest gate run; none once the lane is merged or dropped. */
export function laneProblems(lane: LaneView, t: Translate): LaneProblem[] {
  const { path } = lane;
  if (path === null || lane.state === 'merged' || lane.state === 'dropped') return [];
  return lane.gate.checks.flatMap((check) => checkProblems(path, check, t));
}

function checkProblems(worktree: string, check: CheckView, t: Translate): LaneProblem[] {
  const located = check.findings.flatMap(({ file, line, column, severity, message, code }): LaneProblem[] => {
    const path = insideOf(worktree, file);
    if (path === undefined) return [];
    const source = `AgentKit (${check.name})`;
    return [{ file: path, line, column, severity, message, source, ...(code === undefined ? {} : { code }) }];
  });
  const total = located.length + check.more_findings;
  if (total <= mostPerCheck) return located;
  const kept = located.slice(0, mostPerCheck - 1);
  const last = kept.at(-1);
  if (!last) return [];
  const message = t('{0} more findings of {1} are not shown', total - kept.length, check.name);
  const { file, line, column, source } = last;
  return [...kept, { file, line, column, severity: 'warning', message, source }];
}

/** A gate's output is foreign text: what it names outside the worktree is not ours to mark. */
function insideOf(worktree: string, file: string | null): string | undefined {
  if (file === null) return undefined;
  const path = posix.resolve(worktree, file);
  return path.startsWith(`${worktree}/`) ? path : undefined;
}
