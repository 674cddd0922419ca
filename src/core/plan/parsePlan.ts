import { dependencyProblems } from './dependencyProblems.ts';
import { jobProblems } from './jobProblems.ts';
import { planSchema, type Plan, type PlanProblem } from './plan.ts';
import { PlanSource } from './planSource.ts';
import { schemaProblems } from './schemaProblems.ts';
import { unsupportedProblems } from './unsupportedProblems.ts';

export type ParsedPlan = { plan: Plan } | { problems: PlanProblem[] };

/**
 * Reads a plan file. Problems come in the order of the text, each with its line and column; syntax is judged
 * first, then the schema, then what the jobs say together. Kinds are checked when `knownKinds` is given.
 * Never throws.
 */
export function parsePlan(text: string, knownKinds?: readonly string[]): ParsedPlan {
  const source = new PlanSource(text);
  if (source.problems.length > 0) return { problems: inOrder(source.problems) };
  if (source.value === null) return { problems: [source.problemAt([], 'the plan is empty')] };
  const parsed = planSchema.safeParse(source.value);
  if (!parsed.success) return { problems: inOrder(schemaProblems(parsed.error, source)) };
  const plan = parsed.data;
  const problems = [
    ...jobProblems(plan, source, knownKinds),
    ...dependencyProblems(plan.jobs, source),
    ...unsupportedProblems(plan, source),
  ];
  return problems.length > 0 ? { problems: inOrder(problems) } : { plan };
}

function inOrder(problems: PlanProblem[]): PlanProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
