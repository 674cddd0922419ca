import type { Job, ResolvedPlan } from '../plan/plan.ts';
import { assign, type Assignment } from './assign.ts';
import type { AccountFact } from './facts.ts';

/** Accounts for the jobs that can begin at once; what comes later is only told when nothing could ever run it. */
export function assignAhead(plan: ResolvedPlan, accounts: readonly AccountFact[]): Assignment[] {
  const first = plan.jobs.filter(({ depends_on }) => depends_on.length === 0);
  const assigned = assign(first, plan, accounts, plan.concurrency ?? Infinity);
  const idle = accounts.map((each) => ({ ...each, busy: false, writers: 0 }));
  return plan.jobs.map((job) => assigned.find((each) => each.job === job.id) ?? assignLater(job, plan, idle));
}

function assignLater(job: Job, plan: ResolvedPlan, accounts: readonly AccountFact[]): Assignment {
  const [alone] = assign([job], plan, accounts, 1);
  if (alone !== undefined && 'blocked' in alone) return alone;
  const { depends_on: after } = job;
  return {
    job: job.id,
    waits: `starts when ${after.join(' and ')} ${after.length > 1 ? 'are' : 'is'} merged`,
  };
}
