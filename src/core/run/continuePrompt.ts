import type { Job, ResolvedPlan } from '../plan/plan.ts';
import { frame } from './framePrompt.ts';

/** What the agent of a session is told that goes on under another account: it knows the rest. */
export function continuePrompt(job: Job, plan: ResolvedPlan): string {
  return [
    'Your previous turn was ended by a limit of the account, not by anything that you did. Go on with the task where you',
    'left off; look first at what is already done in this folder.',
    '',
    '---',
    frame(job, plan),
    '',
  ].join('\n');
}
