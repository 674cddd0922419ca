import { attemptMark } from '../process/attemptMark.ts';
import { pidsInside } from '../process/pidsInside.ts';
import { platform } from '../process/platform/platform.ts';
import { shortCommand } from '../process/shortCommand.ts';

/** A process that stands in the way of a removal. */
export interface LaneProcess {
  pid: number;
  /** When it started; with the pid, who it is. */
  started: string;
  command: string;
  /** The attempt that it belongs to; null when it carries no mark of ours. */
  mark: string | null;
  /** Whether it works in the folder; else it only carries the lane's mark. */
  inside: boolean;
}

/**
 * Living processes that work in a folder (as working folder, root, program or file open for writing), or that carry
 * the mark of this lane. Of other users' processes only those are seen that the system shows us. This process itself
 * is not among them.
 */
export function processesIn(folder: string, lane: { run: string; lane: string }): LaneProcess[] {
  const within = pidsInside(folder);
  return platform.list().flatMap(({ pid, started, zombie }) => {
    if (zombie || pid === process.pid) return [];
    const inside = within.has(pid);
    if (!inside && !isOfLane(pid, lane)) return [];
    return [
      {
        pid,
        started,
        command: shortCommand(platform.command(pid)),
        mark: platform.variable(pid, attemptMark),
        inside,
      },
    ];
  });
}

function isOfLane(pid: number, { run, lane }: { run: string; lane: string }): boolean {
  return platform.variable(pid, 'AGENTKIT_LANE') === lane && platform.variable(pid, 'AGENTKIT_RUN') === run;
}
