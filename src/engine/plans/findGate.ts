import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { detectChecks, type RepositoryFile, type RepositoryFiles } from '../../core/gates/detectChecks.ts';
import {
  checkSchema,
  type Check,
  type GateSource,
  type Plan,
  type PlanProblem,
} from '../../core/plan/plan.ts';
import { PlanSource } from '../../core/plan/planSource.ts';
import { schemaProblems } from '../../core/plan/schemaProblems.ts';
import { readBlob } from '../git/readBlob.ts';

const repositoryFile = 'agentkit.yaml';

const tellingFiles: readonly RepositoryFile[] = [
  'package.json',
  'Makefile',
  'Cargo.toml',
  'go.mod',
  'pytest.ini',
  'pyproject.toml',
];

/** What this version reads of `agentkit.yaml`. Other keys are refused: a setup that is left out changes every gate. */
const repositorySchema = z.strictObject({ version: z.literal(1), gate: z.array(checkSchema).optional() });

/**
 * The checks that decide: the plan's, else those of `agentkit.yaml` at the base commit, else what the
 * repository's own files tell. Never read from a lane.
 * @throws AgentKitError `invalid_input` with file, line and column of what is wrong in `agentkit.yaml`
 */
export async function findGate(
  root: string,
  base: string,
  plan: Plan,
): Promise<{ gate: Check[]; source: GateSource }> {
  if (plan.gate !== undefined) return { gate: plan.gate, source: 'plan' };
  const declared = await declaredGate(root, base);
  if (declared !== undefined) return { gate: declared, source: 'agentkit.yaml' };
  const gate = detectChecks(await repositoryFiles(root, base));
  return { gate, source: gate.length > 0 ? 'detected' : 'none' };
}

async function repositoryFiles(root: string, base: string): Promise<RepositoryFiles> {
  const found = await Promise.all(
    tellingFiles.map(async (file) => [file, await readBlobIfThere(root, base, file)] as const),
  );
  return Object.fromEntries(
    found.flatMap(([file, bytes]) => (bytes === null ? [] : [[file, bytes.toString('utf8')]])),
  );
}

async function declaredGate(root: string, base: string): Promise<Check[] | undefined> {
  const bytes = await readBlobIfThere(root, base, repositoryFile);
  if (bytes === null) return undefined;
  const source = new PlanSource(bytes.toString('utf8'));
  if (source.problems.length > 0) throw invalid(source.problems);
  if (!(source.value instanceof Object) || Array.isArray(source.value))
    throw invalid([source.problemAt([], 'it must be a mapping with version: 1')]);
  const parsed = repositorySchema.safeParse(source.value);
  if (parsed.success) return parsed.data.gate;
  throw invalid(schemaProblems(parsed.error, source));
}

function invalid(problems: readonly PlanProblem[]): AgentKitError {
  const lines = problems.map(({ line, column, message }) => `${repositoryFile}:${line}:${column} ${message}`);
  return new AgentKitError('invalid_input', `${lines.join('; ')} (as committed at the base)`);
}

async function readBlobIfThere(root: string, commit: string, path: string): Promise<Buffer | null> {
  return readBlob(root, commit, path).catch((error: unknown) => {
    if (error instanceof AgentKitError && error.reason === 'not_found') return null;
    throw error;
  });
}
