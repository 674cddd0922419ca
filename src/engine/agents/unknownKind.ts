import { AgentKitError } from '../../core/agentKitError.ts';

/** That there is no such kind, with those that there are, and where others can be described. */
export function unknownKind(id: string, kinds: ReadonlyMap<string, unknown>): AgentKitError {
  const known = [...kinds.keys()].join(', ');
  return new AgentKitError(
    'not_found',
    `There is no kind "${id}"; this version knows ${known}. Others you can describe in your settings; those that a repository's agentkit.yaml describes are for its plans.`,
  );
}
