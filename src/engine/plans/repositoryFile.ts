import { AgentKitError } from '../../core/agentKitError.ts';
import type { PlanProblem } from '../../core/plan/plan.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { readBlob } from '../git/readBlob.ts';

const file = 'agentkit.yaml';

/**
 * A repository's own settings as they are committed; null where it has none.
 * @throws AgentKitError `invalid_input` with file, line and column when they are no mapping
 */
export async function readRepositoryFile(root: string, commit: string): Promise<PlanSource | null> {
  const bytes = await readBlobIfThere(root, commit, file);
  if (bytes === null) return null;
  const source = new PlanSource(bytes.toString('utf8'));
  if (source.problems.length > 0) throw invalidRepositoryFile(source.problems);
  if (!(source.value instanceof Object) || Array.isArray(source.value))
    throw invalidRepositoryFile([source.problemAt([], 'it must be a mapping with version: 1')]);
  return source;
}

export function invalidRepositoryFile(problems: readonly PlanProblem[]): AgentKitError {
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`);
  return new AgentKitError('invalid_input', `${lines.join('; ')} (as committed at the base)`);
}

/** Bytes of a file at a commit; null where there is none. */
export async function readBlobIfThere(root: string, commit: string, path: string): Promise<Buffer | null> {
  return readBlob(root, commit, path).catch((error: unknown) => {
    if (error instanceof AgentKitError && error.reason === 'not_found') return null;
    throw error;
  });
}
