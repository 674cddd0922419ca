import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { jobSchema } from '../../core/plan/plan.ts';
import { globProblem } from '../../core/plan/globs.ts';
import { configuredLaneRoot } from '../git/configuredLaneRoot.ts';
import { fetchBase, fetchBudgetMs } from '../git/fetchBase.ts';
import { hasEarlierLane } from '../git/hasEarlierLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import { resolveBase } from '../git/resolveBase.ts';
import type { CareSources } from './createLaneCare.ts';
import { addLanes, type NewLane } from './addLanes.ts';
import { jobByHand } from './jobByHand.ts';
import { ownSettingsAt } from './ownSettingsAt.ts';

/**
 * Makes lanes by hand in the standing run; resolves when each is open or cannot be made, which its view tells.
 * @throws AgentKitError `invalid_input` for a name that cannot be a lane's, `conflict` for one that is in use, `refused`
 * where the repository's commands have not been allowed; then none is made
 */
export async function createByHand(
  sources: CareSources,
  names: readonly string[],
  { base, paths = [] }: { base?: string; paths?: readonly string[] } = {},
): Promise<LaneView[]> {
  requireNames(names);
  for (const path of paths) {
    const problem = globProblem(path);
    if (problem !== undefined) throw new AgentKitError('invalid_input', `${path}: ${problem}`);
  }
  const { ref, sha, warnings: unexpected } = await fetchedBase(sources.checkout, base);
  const own = await ownSettingsAt(sources, sha);
  const { folder: laneRoot, ...place } = await configuredLaneRoot(sources.repository, own.worktree?.root);
  const warnings = [...unexpected, ...place.warnings];
  return addLanes(sources, async (taken) => {
    for (const name of names)
      await requireFree(sources.repository, lanePlace(laneRoot, name), { name, taken });
    return names.map((name): NewLane => ({
      name,
      job: jobByHand(name, paths),
      own,
      base: sha,
      baseRef: ref,
      laneRoot,
      warnings,
    }));
  });
}

/**
 * The base as it is on its remote now, with what is unexpected of it; where that cannot be had in time, as it was
 * fetched last, which is told too.
 */
async function fetchedBase(
  root: string,
  base: string | undefined,
): Promise<{ ref: string; sha: string; warnings: string[] }> {
  const { ref } = await resolveBase({ root }, base);
  const failed = await fetchBase({ root, ref, budgetMs: fetchBudgetMs });
  const { sha, warnings } = await resolveBase({ root }, base);
  return { ref, sha, warnings: [...failed, ...warnings] };
}

/** @throws AgentKitError `conflict` with what has the name */
async function requireFree(
  repository: CareSources['repository'],
  place: { branch: string; path: string },
  { name, taken }: { name: string; taken: ReadonlySet<string> },
): Promise<void> {
  const isTaken = taken.has(name) || (await hasEarlierLane(repository, { ...place, reuseInto: '' }));
  if (isTaken)
    throw new AgentKitError('conflict', `There is a lane ${name} already; give the new one another name.`);
}

/** The same rule as for jobs, whose names lanes have otherwise. */
function requireNames(names: readonly string[]): void {
  if (names.length === 0) throw new AgentKitError('usage', 'Name at least one lane.');
  for (const name of names) {
    const checked = jobSchema.shape.id.safeParse(name);
    if (checked.success) continue;
    throw new AgentKitError(
      'invalid_input',
      `"${name}" cannot be a lane: ${checked.error.issues[0]?.message}`,
    );
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new AgentKitError('invalid_input', `"${twice}" stands there twice.`);
}
