import { AgentKitError } from '../../core/agentKitError.ts';
import { requirePersonKinds } from './user/readPersonKinds.ts';

/**
 * That there is no such kind, with those that there are, and where others can be described.
 * @throws AgentKitError as `requirePersonKinds`: while those cannot be read, nobody knows
 */
export function unknownKind(
  id: string,
  kinds: ReadonlyMap<string, unknown>,
  environment: Readonly<Record<string, string | undefined>>,
): AgentKitError {
  requirePersonKinds(environment);
  const known = [...kinds.keys()].join(', ');
  return new AgentKitError(
    'not_found',
    `There is no kind "${id}"; this version knows ${known}. Others you can describe in your settings; those that a repository's agentkit.yaml describes are for its plans.`,
  );
}
