import * as z from 'zod';
import { detectChecks, type RepositoryFile, type RepositoryFiles } from '../../core/gates/detectChecks.ts';
import { checkSchema, type Check, type GateSource, type Plan } from '../../core/plan/plan.ts';
import { schemaProblems } from '../../core/plan/schemaProblems.ts';
import { invalidRepositoryFile, readBlobIfThere, readRepositoryFile } from './repositoryFile.ts';

const tellingFiles: readonly RepositoryFile[] = [
  'package.json',
  'Makefile',
  'Cargo.toml',
  'go.mod',
  'pytest.ini',
  'pyproject.toml',
];

/** What this version reads of `agentkit.yaml`. Other keys are refused: a setup that is left out changes every gate. */
const repositorySchema = z.strictObject({
  version: z.literal(1),
  gate: z.array(checkSchema).optional(),
  /** Read on their own, whoever says the gate. */
  kinds: z.unknown().optional(),
});

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
  const source = await readRepositoryFile(root, base);
  if (source === null) return undefined;
  const parsed = repositorySchema.safeParse(source.value);
  if (parsed.success) return parsed.data.gate;
  throw invalidRepositoryFile(schemaProblems(parsed.error, source));
}
