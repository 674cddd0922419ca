/** The id of the run whose kept plan this is; undefined for a plan that a person writes. */
export function runOfKeptPlan(path: string): string | undefined {
  return /\/agentkit\/runs\/([^/]+)\/plan\.yaml$/.exec(path)?.[1];
}
