import { counted } from '../counted.ts';
import type { Check } from '../plan/plan.ts';
import type { CheckResult, CheckStatus } from './finding.ts';
import { formatSeconds } from './formatSeconds.ts';
import { matchFindings } from './matchFindings.ts';
import { readTap } from './readTap.ts';
import { stripAnsi } from './stripAnsi.ts';

/** How the process of a check ended. */
export interface CheckStep {
  outcome: 'succeeded' | 'failed' | 'timeout' | 'stopped';
  /** Null when the command never started or was killed. */
  exit: number | null;
  duration_s: number;
  message?: string;
}

const maxFindings = 100;

/**
 * What a check came to. It passes only when its process ended by itself with exit 0, and a test run only when
 * it ran a test and none failed; what the output says otherwise never makes it pass.
 */
export function judgeCheck(check: Check, step: CheckStep, output: string, worktree: string): CheckResult {
  const { status, message } = judge(check, step, output);
  const findings = matchFindings(check.matcher, output, worktree);
  return {
    name: check.name,
    status,
    exit: step.exit,
    duration_s: step.duration_s,
    findings: findings.slice(0, maxFindings),
    more_findings: Math.max(0, findings.length - maxFindings),
    ...(message === undefined ? {} : { message }),
  };
}

function judge(check: Check, step: CheckStep, output: string): { status: CheckStatus; message?: string } {
  if (step.outcome === 'stopped') return { status: 'interrupted', message: step.message ?? 'stopped' };
  if (step.outcome === 'timeout') {
    return {
      status: 'timeout',
      message: `did not end within its timeout of ${formatSeconds(check.timeout)}`,
    };
  }
  if (step.exit === 127)
    return { status: 'failed', message: `command not found: ${missingCommand(check, output)}` };
  if (step.exit === 126) {
    return {
      status: 'failed',
      message: `command not found: ${missingCommand(check, output)} is not executable`,
    };
  }
  if (step.outcome === 'failed' || step.exit !== 0) {
    return { status: 'failed', message: step.message ?? describeExit(step.exit, output) };
  }
  const why = whyNotPassed(check, output);
  return why === undefined ? { status: 'passed' } : { status: 'failed', message: why };
}

/** The shell names what it did not find; else the check's own command. */
function missingCommand(check: Check, output: string): string {
  const text = stripAnsi(output);
  const named =
    /^\S*sh: (?:line )?(?:\d+: )?([^:\n]+): (?:command )?(?:not found|Permission denied)/im.exec(text)?.[1] ??
    /^\S*sh: command not found: (\S+)/m.exec(text)?.[1];
  return named ?? check.run.trim().split(/\s+/)[0] ?? check.run;
}

function describeExit(exit: number | null, output: string): string {
  const ended = exit === null ? 'ended without an exit code' : `exit ${exit}`;
  const last = stripAnsi(output).trimEnd().split('\n').at(-1)?.trim() ?? '';
  return last === '' ? ended : `${ended}: ${last.slice(0, 200)}`;
}

/**
 * Why a test run that ended with exit 0 proves nothing; undefined when it ran tests that passed, or is no test run. Whose
 * check says that it prints TAP is taken at its word that a test failed: in other output such a line may mean something else.
 */
function whyNotPassed(check: Check, output: string): string | undefined {
  if (check.matcher !== '$tap' && check.matcher !== '$auto') return undefined;
  const { isTap, points, bailOut, summary } = readTap(output);
  if (!isTap) return check.matcher === '$tap' ? 'ran no test: there is no TAP in its output' : undefined;
  if (check.matcher === '$tap') {
    const failed = points.filter(({ ok, failedBelow }) => !ok && !failedBelow).length;
    if (failed > 0) return `${counted(failed, 'test')} failed, though it ended with exit 0`;
    if (bailOut !== undefined) return 'bailed out, though it ended with exit 0';
  }
  const skipped = points.filter(({ directive }) => directive === 'skip').length;
  const tests = summary.get('tests') ?? points.length;
  if (tests === 0) return 'ran no test';
  return tests - (summary.get('skipped') ?? skipped) > 0
    ? undefined
    : `ran no test: all ${tests} were skipped`;
}
