import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Check } from '../../core/plan/plan.ts';
import { gateOf } from '../../core/run/ownSettings.ts';
import { configuredLaneRoot } from '../git/configuredLaneRoot.ts';
import { hasEarlierLane } from '../git/hasEarlierLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import { listRescues, type RescueEntry } from '../rescue/listRescues.ts';
import { readRescue } from '../rescue/readRescue.ts';
import { addLanes, type NewLane } from './addLanes.ts';
import type { CareSources } from './createLaneCare.ts';
import { jobByHand } from './jobByHand.ts';
import { jobIdOf } from './jobIdOf.ts';
import { ownSettingsAt } from './ownSettingsAt.ts';

/**
 * Brings a rescue back as a lane by hand, under the lane's old name where that is free, else one with a number.
 * @param rescue its ref, or a lane for its newest one
 * @throws AgentKitError `not_found`; `refused` where the commands of its base need the person's word
 */
export async function restoreByHand(sources: CareSources, rescue: string): Promise<LaneView> {
  const { root } = sources.repository;
  const all = await listRescues(root);
  const found = all.find(({ ref, lane }) => ref === rescue || lane === rescue);
  if (found === undefined) throw new AgentKitError('not_found', notFound(rescue, all));
  const { base } = (await readRescue(root, found.commit)).manifest;
  const settings = await ownSettingsAt(sources, base);
  const { paths, baseRef, gate } = await knownOf(sources, found, base);
  const own = { ...settings, gate: gate ?? settings.gate };
  const { folder: laneRoot, warnings } = await configuredLaneRoot(sources.repository, own.worktree?.root);
  const [view] = await addLanes(sources, async (taken) => {
    const name = await freeName({ ...sources, laneRoot }, found.lane, taken);
    const job = jobByHand(jobIdOf(name), paths);
    return [{ name, job, own, base, baseRef, laneRoot, warnings, restores: found.ref } satisfies NewLane];
  });
  if (view === undefined) throw new Error('One lane was asked for');
  return (await sources.finder.find(view.lane)).view;
}

function notFound(rescue: string, all: readonly RescueEntry[]): string {
  const known = all.length === 0 ? 'there are none' : `there are ${all.map(({ ref }) => ref).join(', ')}`;
  return `There is no rescue ${rescue}, and no lane of that name that has one; ${known}.`;
}

/**
 * What the lane might write, what its base was called, and by which checks it was judged, where its run can still be
 * read: a plan can have a gate that the commit it began from tells nothing of.
 */
async function knownOf(
  { engine }: CareSources,
  { run, lane }: RescueEntry,
  base: string,
): Promise<{ paths: readonly string[]; baseRef: string; gate?: Check[] }> {
  const state = (await engine.allRuns()).find((each) => each.run === run);
  const record = state?.lanes.find(({ id }) => id === lane);
  const baseRef = record?.worktree?.base_ref ?? state?.base.ref ?? base;
  const gate = state && record && gateOf(state, record);
  return { paths: record?.job.paths ?? [], baseRef, ...(gate && gate.length > 0 && { gate }) };
}

async function freeName(
  { laneRoot, repository }: Pick<CareSources, 'repository'> & Pick<NewLane, 'laneRoot'>,
  lane: string,
  taken: ReadonlySet<string>,
): Promise<string> {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? lane : `${lane}-${n}`;
    if (taken.has(name.toLowerCase())) continue;
    const place = { ...lanePlace(laneRoot, name), reuseInto: '' };
    if (!(await isInTheWay(repository, place))) return name;
  }
}

/** Also what is not ours: the rescue comes back beside it. */
async function isInTheWay(...where: Parameters<typeof hasEarlierLane>): Promise<boolean> {
  return hasEarlierLane(...where).catch((error: unknown) => {
    if (error instanceof AgentKitError) return true;
    throw error;
  });
}
