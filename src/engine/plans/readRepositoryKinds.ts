import * as z from 'zod';
import { schemaProblems } from '../../core/plan/schemaProblems.ts';
import { userKindsSchema, type UserKindDefinition } from '../agents/user/userKindSchema.ts';
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
  const taken = [...kinds.keys()].filter((id) => own.has(id));
  if (taken.length === 0) return kinds;
  throw invalidRepositoryFile(
    taken.map((id) =>
      source.problemAtKey(
        ['kinds'],
        id,
        `"${id}" is a kind of your own settings too, which stays what you say; give one of the two another name`,
      ),
    ),
  );
}
