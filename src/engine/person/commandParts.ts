import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { AgentKitError } from '../../core/agentKitError.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { readBlob } from '../git/readBlob.ts';

const file = 'agentkit.yaml';

/** What a repository's settings would have run on this machine. */
export interface CommandParts {
  /** As YAML with sorted keys; empty when there is nothing. */
  text: string;
  /** Of the text; null when there is nothing. */
  sha256: string | null;
}

/**
 * The parts of `agentkit.yaml` at a commit that hold commands: the gate, the setup and teardown of worktrees, and
 * kinds of agents. Anything else in it may change without a new question.
 * @throws AgentKitError `invalid_input` with file, line and column when it cannot be read
 */
export async function commandParts(root: string, commit: string): Promise<CommandParts> {
  const bytes = await readBlob(root, commit, file).catch((error: unknown) => {
    if (error instanceof AgentKitError && error.reason === 'not_found') return null;
    throw error;
  });
  if (bytes === null) return { text: '', sha256: null };
  const source = new PlanSource(bytes.toString('utf8'));
  const problem =
    source.problems[0] ??
    (isMapping(source.value) ? undefined : source.problemAt([], 'it must be a mapping with version: 1'));
  if (problem) {
    const { line, column, message } = problem;
    throw new AgentKitError('invalid_input', `${file}:${line}:${column} ${message} (as committed)`);
  }
  const parts = partsOf(source.value as Readonly<Record<string, unknown>>);
  if (Object.keys(parts).length === 0) return { text: '', sha256: null };
  const text = stringify(parts, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

function partsOf({ gate, worktree, kinds }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { setup, teardown } = isMapping(worktree) ? worktree : {};
  const around = withoutNothing({ setup, teardown });
  return withoutNothing({
    gate,
    worktree: Object.keys(around).length > 0 ? around : undefined,
    kinds,
  });
}

function withoutNothing(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => !isNothing(each)));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return value instanceof Object && !Array.isArray(value);
}
