import { findOrphans, type Orphan } from '../process/orphans.ts';
import { stopOrphans } from '../process/stopOrphans.ts';
import { runsFolder } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';
import type { LaneCare, OrphanView } from './laneCare.ts';

/** The processes that lanes of this repository left behind. */
export async function laneOrphans({ repository }: CareSources): Promise<OrphanView[]> {
  const orphans = await findOrphans({ runsFolder: runsFolder(repository.commonDir) });
  return orphans.map(({ pid, started, command, run, lane, cwd, ports, rss_bytes, cpu_s }) => ({
    pid,
    started,
    command,
    run,
    lane,
    cwd,
    ports,
    rss_bytes,
    cpu_s,
  }));
}

/** Ends those of them that still are what was shown, by pid and start time. */
export async function stopLaneOrphans(
  { repository }: CareSources,
  wanted: readonly OrphanView[],
): ReturnType<LaneCare['stopOrphans']> {
  const request = { runsFolder: runsFolder(repository.commonDir) };
  const now = await findOrphans(request);
  const found = wanted.flatMap((each) => now.find((orphan) => isSame(orphan, each)) ?? []);
  const stopped = await stopOrphans(found, request);
  return wanted.map((each) => {
    const { pid } = each;
    const end = stopped.find(({ orphan }) => isSame(orphan, each));
    if (end === undefined || end.outcome === 'gone') return { pid, result: 'gone' };
    if (end.outcome === 'ended' || end.outcome === 'killed') return { pid, result: 'ended' };
    return { pid, result: 'refused', why: end.message };
  });
}

function isSame(orphan: Pick<Orphan, 'pid' | 'started'>, view: OrphanView): boolean {
  return orphan.pid === view.pid && orphan.started === view.started;
}
