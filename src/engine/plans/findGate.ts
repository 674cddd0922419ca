import { detectChecks, type RepositoryFile, type RepositoryFiles } from '../../core/gates/detectChecks.ts';
import type { Check, GateSource, Plan } from '../../core/plan/plan.ts';
import { readBlobIfThere } from './repositoryFile.ts';

const tellingFiles: readonly RepositoryFile[] = [
  'package.json',
  'Makefile',
  'Cargo.toml',
  'go.mod',
  'pytest.ini',
  'pyproject.toml',
];

/**
 * The checks that decide: the plan's, else those of `agentkit.yaml`, else what the repository's own
 * files at the base commit tell. Never read from a lane.
 */
export async function findGate(
  root: string,
  base: string,
  plan: Pick<Plan, 'gate'>,
  declared: readonly Check[] | undefined,
): Promise<{ gate: Check[]; source: GateSource }> {
  if (plan.gate !== undefined) return { gate: plan.gate, source: 'plan' };
  if (declared !== undefined) return { gate: [...declared], source: 'agentkit.yaml' };
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
