import type { Job, ResolvedPlan } from '../plan/plan.ts';
import { frame } from './framePrompt.ts';

/** What the agent of a lane is told in its own session: the person's words as they are, and the frame. */
export function tellPrompt(text: string, job: Job, plan: ResolvedPlan): string {
  return `${text.trimEnd()}\n\n---\n${frame(job, plan)}\n`;
}
