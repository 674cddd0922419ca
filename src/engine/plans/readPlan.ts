import { parsePlan } from '../../core/plan/parsePlan.ts';
import type { PlanProblem } from '../../core/plan/plan.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { fetchBase } from '../git/fetchBase.ts';
import { resolveBase, type Base } from '../git/resolveBase.ts';
import type { PlanKinds } from './planKinds.ts';
import { messageIfExpected, resolvePlan, type Resolved } from './resolvePlan.ts';

export interface PlanPlace {
  /** The checkout that the plan is for. */
  checkout: string;
  kindsAt: (commit: string) => Promise<PlanKinds>;
  /** What is copied into worktrees where the repository does not say it. */
  copies?: (() => readonly string[]) | undefined;
  /** How long to wait for a fetch of the base, in milliseconds; left out by a preview, which contacts nobody. */
  fetchMs?: number | undefined;
}

/** A plan as it stands at its base, whose repository may describe the kinds that it names. */
export async function readPlan(
  text: string,
  { checkout, kindsAt, copies, fetchMs }: PlanPlace,
): Promise<(Exclude<Resolved, { problems: unknown }> & { kinds: PlanKinds }) | { problems: PlanProblem[] }> {
  const source = new PlanSource(text);
  const base = await findBase(checkout, baseIn(source.value), fetchMs).catch(messageIfExpected);
  const kinds = typeof base === 'string' ? base : await kindsAt(base.sha).catch(messageIfExpected);
  // Which kinds there are is not known without its base: then that is what is wrong.
  const parsed = parsePlan(text, typeof kinds === 'string' ? undefined : [...kinds.kinds.keys()]);
  if ('problems' in parsed) return parsed;
  const resolved = await resolvePlan(text, parsed.plan, checkout, base, copies?.());
  if ('problems' in resolved) return resolved;
  if (typeof kinds === 'string') return { problems: [source.problemAt([], kinds)] };
  return { ...resolved, kinds };
}

/** The base as it is on its remote now, if that can be had in time. */
async function findBase(root: string, named: string | undefined, fetchMs = 0): Promise<Base> {
  const base = await resolveBase({ root }, named);
  if (fetchMs === 0) return base;
  const failed = await fetchBase({ root, ref: base.ref, budgetMs: fetchMs });
  const fetched = await resolveBase({ root }, named);
  return { ...fetched, warnings: [...failed, ...fetched.warnings] };
}

function baseIn(plan: unknown): string | undefined {
  const base: unknown = plan instanceof Object ? Reflect.get(plan, 'base') : undefined;
  return typeof base === 'string' ? base : undefined;
}
