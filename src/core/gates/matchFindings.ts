import type { Check } from '../plan/plan.ts';
import type { Finding } from './finding.ts';
import { parseEslintStylish } from './parseEslintStylish.ts';
import { parseTap } from './parseTap.ts';
import { parseTsc } from './parseTsc.ts';

type Parse = (output: string, worktree: string) => Finding[];

const parsers: Record<Exclude<Check['matcher'], '$auto'>, Parse> = {
  $tsc: parseTsc,
  '$eslint-stylish': parseEslintStylish,
  $tap: parseTap,
};

/** What a check's output says about the worktree's files; `$auto` takes what any parser finds, each once. */
export function matchFindings(matcher: Check['matcher'], output: string, worktree: string): Finding[] {
  if (matcher !== '$auto') return parsers[matcher](output, worktree);
  const found = new Map<string, Finding>();
  for (const parse of Object.values(parsers)) {
    for (const finding of parse(output, worktree)) found.set(JSON.stringify(finding), finding);
  }
  return [...found.values()];
}
