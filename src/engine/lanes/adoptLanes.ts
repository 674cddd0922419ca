import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { readMarker } from '../git/marker.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { addLanes, type NewLane } from './addLanes.ts';
import type { CareSources } from './createLaneCare.ts';
import { jobByHand } from './jobByHand.ts';
import { jobIdOf } from './jobIdOf.ts';
import { orphansOfLane } from './laneOrphans.ts';
import { lostLanes, type LostLane } from './lostLanes.ts';
import { ownSettingsAt } from './ownSettingsAt.ts';

/**
 * Makes lanes by hand of worktrees of ours whose run is lost; what is in them is not touched. Under the lane's old name
 * where that is free, else one with a number. All of them are looked at before the first is adopted.
 * @param which the folders, or the names that their marks say (`api`, `<run>/api`)
 * @throws AgentKitError `not_found`, `conflict` where a name means several, `refused` with the reason
 */
export async function adoptLanes(sources: CareSources, which: readonly string[]): Promise<LaneView[]> {
  if (which.length === 0) throw new AgentKitError('usage', 'Name at least one lane, or its folder.');
  return addLanes(sources, async (taken) => {
    const lost = await lostLanes(sources);
    const found = new Set<LostLane>();
    for (const each of which) found.add(await findLost(lost, each));
    for (const each of found) await requireLeft(sources, each);
    const used = new Set(taken);
    const lanes: NewLane[] = [];
    for (const each of found) lanes.push(await toNewLane(sources, each, used));
    return lanes;
  });
}

async function findLost(lost: readonly LostLane[], which: string): Promise<LostLane> {
  const real = await realPathOf(which);
  const found = lost.filter(
    ({ path, run, lane }) => path === real || lane === which || `${run}/${lane}` === which,
  );
  const [first, second] = found;
  if (first === undefined) {
    const known =
      lost.length === 0 ? 'there is none' : `there are ${lost.map(({ path }) => path).join(', ')}`;
    throw new AgentKitError('not_found', `${which} is no worktree whose run is lost; ${known}.`);
  }
  if (second !== undefined) {
    const folders = found.map(({ path }) => path).join(' or ');
    throw new AgentKitError('conflict', `Several are called ${which}; name the folder: ${folders}`);
  }
  if (first.whyNot.length > 0)
    throw new AgentKitError('refused', `${first.path} is not adopted. ${first.whyNot.join(' ')}`);
  return first;
}

/** An agent may have outlived the registry: whoever adopts its worktree would work beside it. */
async function requireLeft(sources: CareSources, { path, run, lane }: LostLane): Promise<void> {
  const [first] = await orphansOfLane(sources, { run, lane });
  if (first === undefined) return;
  throw new AgentKitError(
    'refused',
    `${path} is not adopted: process ${first.pid} (${first.command || 'unnamed'}) of its lost run is still at work. Wait until it has ended, or stop it: ak lane orphans --stop`,
  );
}

/** @param used names in small letters; the lane's is added */
async function toNewLane(
  sources: CareSources,
  { path, branch, run, lane, nonce }: LostLane,
  used: Set<string>,
): Promise<NewLane> {
  const marker = await readMarker(path);
  if (marker === null) throw new AgentKitError('conflict', `${path} is not marked as a lane any more.`);
  const { base } = marker;
  const name = freeName(lane, used);
  used.add(name.toLowerCase());
  const own = await ownSettingsAt(sources, base);
  const job = jobByHand(jobIdOf(name), []);
  const warnings = [`Its run ${run} is lost: which paths it might write is not known, nor what ran in it.`];
  const adopts = { path, branch, before: { run, lane, nonce } };
  return { name, job, own, base, baseRef: base, laneRoot: '', warnings, adopts };
}

function freeName(lane: string, used: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? lane : `${lane}-${n}`;
    if (!used.has(name.toLowerCase())) return name;
  }
}
