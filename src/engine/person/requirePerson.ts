import { AgentKitError } from '../../core/agentKitError.ts';
import { agentMark } from '../../core/safety/agentEnvironment.ts';

/** Keeps what only the person may decide from the agents that work for them. @throws AgentKitError `refused` */
export function requirePerson(environment: Readonly<Record<string, string | undefined>>, act: string): void {
  const mark = agentMark(environment);
  if (mark === undefined) return;
  throw new AgentKitError(
    'refused',
    `This shell belongs to a coding agent (${mark} is set), and only you can ${act}: do it in a terminal of your own.`,
  );
}
