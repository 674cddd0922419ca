import { join } from 'node:path';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import { noTarget } from '../../core/run/noTarget.ts';
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
 * where nobody names one, or the one that is checked out; where there is neither, into none yet. Call it in a turn.
 * @throws AgentKitError `not_found` where there is no commit to start from
 */
export async function makeStandingRun(
  { root, commonDir }: { root: string; commonDir: string },
  checkout: string,
): Promise<{ folder: string; created: RunEventBody }> {
  const start = await resolveBase({ root: checkout });
  const isHere = start.branch !== null && (await tipOf(root, start.branch)) !== null;
  const target = isHere ? await branchHere(root, start.branch) : await checkedOutBranch(root, checkout);
  const folder = standingFolder(commonDir);
  const base = target === null ? start : await resolveBase({ root: checkout }, target.ref);
  const plan_sha256 = await createRunFolder(folder, standingPlan(base.ref, target?.ref ?? noTarget));
  const created = {
    type: 'run.created' as const,
    run: standingRun,
    name: standingRun,
    plan_sha256,
    repo: root,
    base: { ref: base.ref, sha: base.sha, how: start.how },
    target: target ?? { ref: noTarget, sha: base.sha },
    report: folder,
    lanes: [],
    standing: true as const,
  };
  return { folder, created };
}

/** The branch that lanes by hand could be merged into now: of this checkout, else of the main one. */
export async function checkedOutBranch(
  root: string,
  checkout: string,
): Promise<{ ref: string; sha: string } | null> {
  return branchHere(root, (await currentBranch(checkout)) ?? (await currentBranch(root)));
}

async function branchHere(root: string, ref: string | null): Promise<{ ref: string; sha: string } | null> {
  const sha = ref === null ? null : await tipOf(root, ref);
  return ref === null || sha === null ? null : { ref, sha };
}

function standingPlan(base: string, into: string): ResolvedPlan {
  return {
    version: 1,
    name: standingRun,
    base,
    gate: [],
    merge: { strategy: 'merge', into },
    commit: 'kit',
    on_limit: 'restart',
    when_empty: 'stop',
    jobs: [],
  };
}
