import { locateOverlaps } from '../../core/plan/locateOverlaps.ts';
import { parsePlan } from '../../core/plan/parsePlan.ts';
import { stages as stagesOf } from '../../core/plan/stages.ts';
import type { PlanPreview } from '../../engine/agentKitTypes.ts';

/** What a plan's text alone says, for a window in which the engine cannot be used; `whyNot` is the reason. */
export function offlinePreview(text: string, whyNot: string): PlanPreview {
  const parsed = parsePlan(text);
  const plan = 'plan' in parsed ? parsed.plan : null;
  const stages = plan ? stagesOf(plan.jobs) : [];
  const base = plan?.base ?? '';
  return {
    problems: 'plan' in parsed ? [] : parsed.problems,
    plan: plan && {
      ...plan,
      base,
      gate: plan.gate ?? [],
      merge: { ...plan.merge, into: plan.merge.into ?? base },
    },
    base: null,
    lanes: null,
    overlaps: plan ? locateOverlaps(text, plan) : [],
    stages,
    jobs: stages.flatMap((jobs, stage) => jobs.map((job) => ({ job, stage, account: null, waits: null }))),
    writers: 0,
    gateSource: plan?.gate ? 'plan' : 'none',
    accounts: [],
    next_reset_at: null,
    asked_by: [],
    whyNot: [whyNot],
    refusal: 'refused',
  };
}
