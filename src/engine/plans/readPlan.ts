import { parsePlan } from '../../core/plan/parsePlan.ts';
import type { PlanProblem } from '../../core/plan/plan.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { resolveBase } from '../git/resolveBase.ts';
import type { PlanKinds } from './planKinds.ts';
import { messageIfExpected, resolvePlan, type Resolved } from './resolvePlan.ts';

export interface PlanPlace {
  /** The checkout whose current branch is the default base. */
  checkout: string;
  kindsAt: (commit: string) => Promise<PlanKinds>;
  /** What is copied into worktrees where the repository does not say it. */
  copies?: (() => readonly string[]) | undefined;
}

/** A plan as it stands at its base, whose repository may describe the kinds that it names. */
export async function readPlan(
  text: string,
  { checkout, kindsAt, copies }: PlanPlace,
): Promise<(Exclude<Resolved, { problems: unknown }> & { kinds: PlanKinds }) | { problems: PlanProblem[] }> {
  const source = new PlanSource(text);
  const kinds = await resolveBase({ root: checkout }, baseIn(source.value))
    .then(({ sha }) => kindsAt(sha))
    .catch(messageIfExpected);
  // Which kinds there are is not known without its base: then that is what is wrong.
  const parsed = parsePlan(text, typeof kinds === 'string' ? undefined : [...kinds.kinds.keys()]);
  if ('problems' in parsed) return parsed;
  const resolved = await resolvePlan(text, parsed.plan, checkout, copies?.());
  if ('problems' in resolved) return resolved;
  if (typeof kinds === 'string') return { problems: [source.problemAt([], kinds)] };
  return { ...resolved, kinds };
}

function baseIn(plan: unknown): string | undefined {
  const base: unknown = plan instanceof Object ? Reflect.get(plan, 'base') : undefined;
  return typeof base === 'string' ? base : undefined;
}
