import type { Plan, PlanProblem } from './plan.ts';
import type { NodePath, PlanSource } from './planSource.ts';

/** Values that the contract of plans knows and this version does not do; better refused than passed over. */
export function unsupportedProblems(plan: Plan, source: PlanSource): PlanProblem[] {
  const found: { path: NodePath; text: string }[] = [];
  if (plan.review && plan.review.when !== 'never') {
    found.push({ path: ['review', 'when'], text: `review: when: ${plan.review.when}` });
  }
  if (plan.merge.strategy !== 'merge') {
    found.push({ path: ['merge', 'strategy'], text: `merge: strategy: ${plan.merge.strategy}` });
  }
  for (const [index, { effect }] of plan.jobs.entries()) {
    if (effect !== 'write') found.push({ path: ['jobs', index, 'effect'], text: `effect: ${effect}` });
  }
  return found.map(({ path, text }) => source.problemAt(path, `"${text}" is not supported by this version`));
}
