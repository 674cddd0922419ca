import type { Job, ResolvedPlan } from '../plan/plan.ts';

/** The prompt as the agent gets it: the job's own words and one short frame. */
export function framePrompt(job: Job, plan: ResolvedPlan): string {
  return `${job.prompt.trimEnd()}\n\n---\n${frame(job, plan)}\n`;
}

/** What we add to every prompt; shown on the card. */
export function frame(job: Job, plan: Pick<ResolvedPlan, 'gate'>): string {
  const paths = job.paths.length === 0 ? 'any file of this worktree' : job.paths.join(', ');
  const gate = plan.gate.map(({ run }) => run).join(' && ');
  return [
    `You may write: ${paths}. A change anywhere else stops this lane.`,
    `These checks will judge the result: ${gate === '' ? 'none' : gate}.`,
    'Work in this folder only. Do not push, do not switch branches, do not touch other checkouts.',
  ].join('\n');
}
