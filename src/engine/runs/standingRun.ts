import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import { currentBranch, resolveBase, tipOf } from '../git/resolveBase.ts';
import { createRunFolder, runsFolder } from '../store/runFolder.ts';

/** Id of the run that lanes made by hand belong to; a repository has one. */
export const standingRun = 'manual';

export function standingFolder(commonDir: string): string {
  return join(runsFolder(commonDir), standingRun);
}

/**
 * Makes the folder of the standing run and its first event. Its lanes are merged into the branch that they start from
 * where nobody names one, or the one that is checked out. Call it in a turn.
 * @throws AgentKitError `refused` where no branch is checked out
 */
export async function makeStandingRun(
  { root, commonDir }: { root: string; commonDir: string },
  checkout: string,
): Promise<{ folder: string; created: RunEventBody }> {
  const { branch } = await resolveBase({ root: checkout });
  const isHere = branch !== null && (await tipOf(root, branch)) !== null;
  const into = isHere ? branch : ((await currentBranch(checkout)) ?? (await currentBranch(root)));
  const tip = into === null ? null : await tipOf(root, into);
  if (into === null || tip === null)
    throw new AgentKitError(
      'refused',
      'No branch is checked out that lanes by hand could be merged into later; switch to one: git switch BRANCH',
    );
  const folder = standingFolder(commonDir);
  const base = await resolveBase({ root: checkout }, into);
  const plan_sha256 = await createRunFolder(folder, standingPlan(into));
  const created = {
    type: 'run.created' as const,
    run: standingRun,
    name: standingRun,
    plan_sha256,
    repo: root,
    base: { ref: base.ref, sha: base.sha },
    target: { ref: into, sha: tip },
    report: folder,
    lanes: [],
    standing: true as const,
  };
  return { folder, created };
}

function standingPlan(into: string): ResolvedPlan {
  return {
    version: 1,
    name: standingRun,
    base: into,
    gate: [],
    merge: { strategy: 'merge', into },
    commit: 'kit',
    on_limit: 'restart',
    when_empty: 'stop',
    jobs: [],
  };
}
