import type * as z from 'zod';
import type { Check } from '../../core/plan/plan.ts';
import { schemaProblems } from '../../core/plan/schemaProblems.ts';
import { worktreeSchema, type WorktreeSettings } from '../../core/plan/worktreeSettings.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import { invalidRepositoryFile, readRepositoryFile } from './repositoryFile.ts';
import { repositorySchema } from './repositorySchema.ts';

/** What `agentkit.yaml` says besides kinds. */
export interface RepositorySettings {
  gate?: Check[];
  worktree?: WorktreeSettings;
}

/**
 * The settings of a repository as committed. Never read from a lane.
 * @param copy What is copied where the file does not say it.
 * @throws AgentKitError `invalid_input` with file, line and column of what is wrong in `agentkit.yaml`
 */
export async function readRepositorySettings(
  root: string,
  commit: string,
  copy: readonly string[] = [],
): Promise<RepositorySettings> {
  const source = await readRepositoryFile(root, commit);
  if (source === null) return withWorktree({}, undefined, copy);
  const parsed = repositorySchema.safeParse(source.value);
  if (!parsed.success) throw invalidRepositoryFile(schemaProblems(parsed.error, source));
  const { gate, worktree } = parsed.data;
  const problems = Object.keys(worktree?.ports ?? {})
    .filter((name) => withheldNames({ [name]: 'set' }).length > 0)
    .map((name) =>
      source.problemAtKey(
        ['worktree', 'ports'],
        name,
        `${name} is kept from what runs in a lane; use another`,
      ),
    );
  if (problems.length > 0) throw invalidRepositoryFile(problems);
  return withWorktree(gate === undefined ? {} : { gate }, worktree, copy);
}

function withWorktree(
  settings: { gate?: Check[] },
  section: z.output<typeof worktreeSchema> | undefined,
  copy: readonly string[],
): RepositorySettings {
  if (section === undefined && copy.length === 0) return settings;
  const { root, ...rest } = section ?? worktreeSchema.parse({});
  const worktree = { ...rest, copy: rest.copy ?? [...copy], ...(root !== undefined && { root }) };
  return { ...settings, worktree };
}
