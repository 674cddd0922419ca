import * as z from 'zod';
import { schemaProblems } from '../../core/plan/schemaProblems.ts';
import { userKindsSchema, type UserKindDefinition } from '../agents/user/userKindSchema.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import { invalidRepositoryFile, readRepositoryFile } from './repositoryFile.ts';

const kindsSchema = z.looseObject({ kinds: userKindsSchema.nullish() });

/**
 * The kinds that `agentkit.yaml` describes at a commit, by their id. Never read from a lane.
 * @param own Kinds of this machine; what a person calls so is not replaced.
 * @throws AgentKitError `invalid_input` with file, line and column of what is wrong
 */
export async function readRepositoryKinds(
  root: string,
  commit: string,
  own: { has(id: string): boolean },
): Promise<ReadonlyMap<string, UserKindDefinition>> {
  const source = await readRepositoryFile(root, commit);
  if (source === null) return new Map();
  const parsed = kindsSchema.safeParse(source.value);
  if (!parsed.success) throw invalidRepositoryFile(schemaProblems(parsed.error, source));
  const kinds = new Map(Object.entries(parsed.data.kinds ?? {}));
  const problems = [...kinds].flatMap(([id, definition]) =>
    problemsOf(id, definition, own).map((problem) => source.problemAtKey(['kinds'], id, problem)),
  );
  if (problems.length > 0) throw invalidRepositoryFile(problems);
  return kinds;
}

/** What a kind may not be because it is a repository that describes it. */
function problemsOf(
  id: string,
  { env = [] }: UserKindDefinition,
  own: { has(id: string): boolean },
): string[] {
  const keys = env.filter((name) => withheldNames({ [name]: 'set' }).length > 0);
  return [
    ...(own.has(id)
      ? [
          `"${id}" is a kind of your own settings too, which stays what you say; give one of the two another name`,
        ]
      : []),
    ...keys.map(
      (name) =>
        `${name} is a key of yours, which no repository may ask for; describe "${id}" in your own settings.yaml instead`,
    ),
  ];
}
