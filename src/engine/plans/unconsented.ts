import { AgentKitError } from '../../core/agentKitError.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { agentMark } from '../../core/safety/agentEnvironment.ts';
import { parallelWriters } from '../../core/safety/consentName.ts';
import { hasConsent } from '../person/consents.ts';

/**
 * Why an agent may not start this plan; empty for a person, and for an agent that has the person's standing word. It
 * may always start one writer under a vendor's account.
 */
export async function unconsented(
  { jobs }: Pick<Plan, 'jobs'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const mark = agentMark(environment);
  if (mark === undefined || jobs.filter(({ kind }) => kind !== 'demo').length < 2) return [];
  try {
    if (await hasConsent(environment, parallelWriters)) return [];
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return [error.message];
  }
  return [
    `This shell belongs to a coding agent (${mark} is set), and the plan has more than one writer: start it in the editor, or in a terminal of your own. To let agents do so from now on, in a terminal of your own: ak consent add ${parallelWriters}`,
  ];
}
