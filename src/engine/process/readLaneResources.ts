import { isInside } from '../git/realPathOf.ts';
import { stepFiles } from '../store/paths.ts';
import { attemptMark, stepMark } from './attemptMark.ts';
import { descendantsOf } from './descendants.ts';
import { identityOf, sameProcess } from './identity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';
import { readProcesses } from './processRecord.ts';

/** What the processes of a step or an attempt take now, its supervisor among them. */
export interface LaneResources {
  /** Resident memory; pages that processes share count for each of them. */
  rss_bytes: number;
  /** CPU time of those that live, and of children that they have collected. */
  cpu_s: number;
  processes: number;
  /** TCP ports that they listen on, in order. */
  ports: number[];
}

/**
 * One step by its folder, or all of an attempt by its mark and the folder of its run, since another repository may have
 * a run of the same name. Where marks are not readable, only the first sees any.
 */
export type ResourceRequest = { folder: string } | { mark: string; runFolder: string };

/**
 * Reads what a step or an attempt takes: every process that carries its mark, what its supervisor has noted, and what
 * descends from these without the mark of another. Null when nothing of it runs.
 * @throws AgentKitError `invalid_input` when the step's record of its processes is damaged
 */
export async function readLaneResources(request: ResourceRequest): Promise<LaneResources | null> {
  const [name, mark] = 'mark' in request ? [attemptMark, request.mark] : [stepMark, request.folder];
  const record = 'mark' in request ? null : await readProcesses(stepFiles(request.folder).processes);
  const entries = platform.list().filter(({ zombie }) => !zombie);
  const markOf = (entry: ProcessEntry) => platform.variable(entry.pid, name);
  const isNoted = (entry: ProcessEntry) =>
    record?.noted.some((each) => sameProcess(each, identityOf(entry))) ?? false;
  const top = 'mark' in request ? request.runFolder : request.folder;
  const isMarked = (entry: ProcessEntry) =>
    markOf(entry) === mark && isInside(platform.variable(entry.pid, stepMark) ?? '', top);
  const roots = entries.filter((entry) => isMarked(entry) || isNoted(entry));
  const own = [...roots, ...descendantsOf(roots, entries)].filter((entry) =>
    [mark, null].includes(markOf(entry)),
  );
  const pids = new Set(own.map(({ pid }) => pid));
  const usage = [...platform.usage([...pids]).values()];
  if (usage.length === 0) return null;
  const ports = new Set([...platform.ports([...pids]).values()].flat());
  return {
    rss_bytes: usage.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    cpu_s: usage.reduce((sum, { cpuS }) => sum + cpuS, 0),
    processes: usage.length,
    ports: [...ports].sort((one, other) => one - other),
  };
}
