import { AgentKitError } from '../../core/agentKitError.ts';
import type { GateSource, Plan, PlanProblem, ResolvedPlan } from '../../core/plan/plan.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { resolveBase, tipOf, type Base } from '../git/resolveBase.ts';
import { findGate } from './findGate.ts';
import { readRepositorySettings } from './readRepositorySettings.ts';

export type Resolved =
  { plan: ResolvedPlan; gateSource: GateSource; base: Base } | { problems: PlanProblem[] };

/**
 * Fills in base, target, gate and what the repository says of worktrees. What cannot be filled in is a problem at the
 * place in the plan that is to say it.
 * @param base What the plan's base is, or why it is nothing.
 * @param copy What is copied into worktrees where the repository does not say it.
 */
export async function resolvePlan(
  text: string,
  plan: Plan,
  checkout: string,
  base: Base | string,
  copy?: readonly string[],
): Promise<Resolved> {
  const source = new PlanSource(text);
  if (typeof base === 'string') return { problems: [source.problemAt(['base'], base)] };
  const into = plan.merge.into ?? base.branch ?? base.ref;
  const why = await whyNotInto(checkout, into, plan, base);
  if (why !== undefined) return { problems: [source.problemAt(['merge', 'into'], why)] };
  const settings = await readRepositorySettings(checkout, base.sha, copy).catch(messageIfExpected);
  // No place in the plan has to do with what is wrong in another file.
  if (typeof settings === 'string') return { problems: [source.problemAt([], settings)] };
  const { worktree } = settings;
  const found = await findGate(checkout, base.sha, plan, settings.gate);
  return {
    plan: {
      ...plan,
      base: base.ref,
      gate: found.gate,
      merge: { ...plan.merge, into },
      ...(worktree !== undefined && { worktree }),
    },
    gateSource: found.source,
    base,
  };
}

/** Why lanes cannot be merged into a branch; undefined when they can. */
async function whyNotInto(
  checkout: string,
  into: string,
  plan: Plan,
  base: Base,
): Promise<string | undefined> {
  if ((await tipOf(checkout, into)) !== null) return undefined;
  if (plan.merge.into !== undefined) return whyNoBranch(checkout, into, base);
  if (base.branch !== null)
    return `lanes start from ${base.ref}, and there is no branch "${into}" here to merge into; make it (git branch ${into} ${base.ref}), or set merge.into to another`;
  const because =
    plan.base === undefined ? 'no branch is checked out' : `base "${base.ref}" is no branch of this clone`;
  return `${because}, so say where to merge: set merge.into to a branch`;
}

/** What there is instead of a branch of this clone. One that is called like a tag or a remote's would mislead git. */
async function whyNoBranch(checkout: string, into: string, base: Base): Promise<string> {
  const found = await resolveBase({ root: checkout }, into).catch(messageIfExpected);
  if (typeof found === 'string')
    return `there is no branch "${into}" to merge into; make it: git branch ${into} ${base.sha.slice(0, 10)}`;
  const { branch } = found;
  if (branch === null)
    return `"${into}" names a commit, as a tag does, and no branch; set merge.into to the name of a branch`;
  const make = (await tipOf(checkout, branch)) === null ? `make one (git branch ${branch} ${into}) and ` : '';
  return `"${into}" is a branch of a remote, and lanes are merged into one of this clone; ${make}set merge.into to ${branch}`;
}

/** What the person wrote wrong; anything else is no problem of the plan. */
export function messageIfExpected(error: unknown): string {
  if (error instanceof AgentKitError && (error.reason === 'not_found' || error.reason === 'invalid_input'))
    return error.message;
  throw error;
}
