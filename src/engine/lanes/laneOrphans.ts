import { findGuests, findOrphans, type LivingProcess, type Orphan } from '../process/orphans.ts';
import { stopOrphans } from '../process/stopOrphans.ts';
import { runsFolder } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';
import type { LaneCare, OrphanView } from './laneCare.ts';

const notOurs =
  'It works in the folder of the lane but carries no mark of ours; end it yourself if it is yours.';

/** The processes that lanes of this repository left behind, and those of others that work in their folders. */
export async function laneOrphans(sources: CareSources): Promise<OrphanView[]> {
  const request = orphansOf(sources);
  const orphans = await findOrphans(request);
  const open = (await sources.engine.allRuns()).flatMap(({ run, lanes }) =>
    lanes.flatMap(({ id, worktree, removed }) =>
      worktree === undefined || removed !== undefined ? [] : [{ run, lane: id, path: worktree.path }],
    ),
  );
  const guests = await findGuests(
    request,
    open.map(({ path }) => path),
  );
  return [
    ...orphans.map((orphan) => toView(orphan, orphan, null)),
    ...guests.flatMap((guest) => {
      const lane = open.find(({ path }) => path === guest.worktree);
      return lane === undefined ? [] : toView(guest, lane, notOurs);
    }),
  ];
}

/** The processes that this lane left behind; `stopLaneOrphans` ends them. */
export async function orphansOfLane(
  sources: CareSources,
  { run, lane }: Pick<OrphanView, 'run' | 'lane'>,
): Promise<Orphan[]> {
  const orphans = await findOrphans(orphansOf(sources));
  return orphans.filter((each) => each.run === run && each.lane === lane);
}

function orphansOf({ repository, engine }: CareSources): Parameters<typeof findOrphans>[0] {
  return { runsFolder: runsFolder(repository.commonDir), dist: engine.dist };
}

function toView(
  { pid, started, command, cwd, ports, rss_bytes, cpu_s }: LivingProcess,
  { run, lane }: Pick<OrphanView, 'run' | 'lane'>,
  whyNot: string | null,
): OrphanView {
  return { pid, started, command, run, lane, cwd, ports, rss_bytes, cpu_s, why_not: whyNot };
}

/** Ends those of them that still are what was shown, by pid and start time. */
export async function stopLaneOrphans(
  sources: CareSources,
  wanted: readonly OrphanView[],
): ReturnType<LaneCare['stopOrphans']> {
  const request = orphansOf(sources);
  const now = await findOrphans(request);
  const found = wanted.flatMap((each) => now.find((orphan) => isSame(orphan, each)) ?? []);
  const stopped = await stopOrphans(found, request);
  return wanted.map((each) => {
    const { pid, why_not: whyNot } = each;
    const end = stopped.find(({ orphan }) => isSame(orphan, each));
    if (end === undefined && whyNot !== null) return { pid, result: 'refused', why: whyNot };
    if (end === undefined || end.outcome === 'gone') return { pid, result: 'gone' };
    if (end.outcome === 'ended' || end.outcome === 'killed') return { pid, result: 'ended' };
    return { pid, result: 'refused', why: end.message };
  });
}

function isSame(orphan: Pick<Orphan, 'pid' | 'started'>, view: OrphanView): boolean {
  return orphan.pid === view.pid && orphan.started === view.started;
}
