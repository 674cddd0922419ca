import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { changedLines } from '../../core/safety/changedLines.ts';
import type { Repository } from '../git/openRepository.ts';
import { commandParts } from './commandParts.ts';
import { changeDecisions, readDecisions } from './decisionFile.ts';
import { personFiles } from './personFiles.ts';
import { requirePerson } from './requirePerson.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const entrySchema = z.object({
  root: z.string(),
  /** Git's common directory, by which the repository is known. */
  common_dir: z.string(),
  sha256: z.string(),
  /** What was allowed, so that a change can be shown. */
  commands: z.string(),
  given_at: z.string(),
});
const schema = z.object({ version: z.literal(1), repositories: z.array(entrySchema) });

export type TrustEntry = z.output<typeof entrySchema>;

/** Whether the commands that a repository names may run, at one of its commits. */
export interface RepositoryTrust {
  root: string;
  commonDir: string;
  /** `nothing`: it names no commands, so there is nothing to allow. */
  status: 'trusted' | 'changed' | 'untrusted' | 'nothing';
  /** Whether nothing would run that the person has not allowed. */
  mayRun: boolean;
  /** As YAML. */
  commands: string;
  sha256: string | null;
  /** What differs from what was allowed, where that has changed: lines behind `- ` and `+ `. */
  difference: string[];
}

/** @throws AgentKitError `refused` for a file that others may write, `invalid_input` for a damaged one */
export async function listTrusted(environment: Environment): Promise<TrustEntry[]> {
  return (await readDecisions(personFiles(environment).trust, schema))?.repositories ?? [];
}

/** @throws as `listTrusted`; AgentKitError `invalid_input` when `agentkit.yaml` cannot be read */
export async function repositoryTrust(
  { root, commonDir }: Repository,
  commit: string,
  environment: Environment,
): Promise<RepositoryTrust> {
  const { text: commands, sha256 } = await commandParts(root, commit);
  const common = { root, commonDir, commands, sha256, difference: [], mayRun: false };
  if (sha256 === null) return { ...common, status: 'nothing', mayRun: true };
  const known = (await listTrusted(environment)).find((entry) => entry.common_dir === commonDir);
  if (known === undefined) return { ...common, status: 'untrusted' };
  if (known.sha256 === sha256) return { ...common, status: 'trusted', mayRun: true };
  return { ...common, status: 'changed', difference: changedLines(known.commands, commands) };
}

/**
 * Allows exactly what was shown to the person, and was answered with yes.
 * @throws AgentKitError `refused` inside an agent's environment; as `listTrusted`
 */
export async function trustRepository(shown: RepositoryTrust, environment: Environment): Promise<void> {
  const { root, commonDir, commands, sha256 } = shown;
  if (sha256 === null) return;
  requirePerson(environment, 'allow the commands of a repository');
  const entry = { root, common_dir: commonDir, sha256, commands, given_at: new Date().toISOString() };
  await change(environment, (entries) => [...entries.filter((each) => each.common_dir !== commonDir), entry]);
}

/**
 * Takes the word back, which anybody may.
 *
 * @param folder The repository's main checkout or its common directory, which need not be there any more.
 * @throws AgentKitError `not_found` when nothing was allowed there
 */
export async function distrustRepository(folder: string, environment: Environment): Promise<void> {
  await change(environment, (entries) => {
    const rest = entries.filter(({ root, common_dir }) => root !== folder && common_dir !== folder);
    if (rest.length < entries.length) return rest;
    throw new AgentKitError('not_found', `Nothing is allowed for ${folder}; see: ak trust ls`);
  });
}

function change(environment: Environment, decide: (entries: TrustEntry[]) => TrustEntry[]): Promise<void> {
  const { trust: file, lock } = personFiles(environment);
  return changeDecisions({ file, lock, schema }, (decisions) => ({
    version: 1 as const,
    repositories: decide(decisions?.repositories ?? []),
  }));
}
