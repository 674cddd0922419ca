import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { stepFiles } from '../store/paths.ts';
import { journalFile } from '../store/runFolder.ts';
import { attemptMark, parseMark, stepMark, type MarkedAttempt } from './attemptMark.ts';
import { identityOf, isAlive } from './identity.ts';
import { stepsBelow, type LaneStep } from './laneSteps.ts';
import { ownerIn } from './ownerIn.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';
import { readProcesses } from './processRecord.ts';
import { shortCommand } from './shortCommand.ts';
import { isAtWork, singleAgentOf, type SingleAgent } from './singleAgent.ts';
import { sparedProcesses } from './sparedProcesses.ts';

/** A process, and what it is and takes. */
export interface LivingProcess extends ProcessIdentity {
  /** Its command line; empty when it is not readable. */
  command: string;
  /** Null when it is not readable. */
  cwd: string | null;
  /** TCP ports that it listens on. */
  ports: number[];
  cpu_s: number;
  rss_bytes: number;
}

/** A process of one of a repository's lanes that nobody watches any more. */
export type Orphan = LivingProcess &
  Pick<MarkedAttempt, 'run' | 'lane'> & {
    /** Null for what an agent of `ak run` left in the lane. */
    attempt: number | null;
  };

/** A process that works in a lane's worktree and carries no mark of ours: it may be anybody's. */
export type Guest = LivingProcess & { worktree: string };

export interface OrphanRequest {
  /** Where the runs of the repository lie. */
  runsFolder: string;
  /** The folder of our own built programs, which are nobody's orphans. */
  dist: string;
}

interface Found {
  entry: ProcessEntry;
  mark: string;
  /** The agent of `ak run` that it is of, if any. */
  agent: SingleAgent | null;
  told: Pick<Orphan, 'run' | 'lane' | 'attempt'>;
}

/**
 * Every living process of this repository's lanes without a supervisor: those that carry the mark of a step of its
 * runs, those that a lost supervisor had noted, and those that agents of `ak run` left in them. An attempt is left alone
 * while any supervisor of its mark lives, and what an agent of `ak run` started until that has ended.
 */
export async function findOrphans({ runsFolder, dist }: OrphanRequest): Promise<Orphan[]> {
  const entries = platform.list().filter(({ zombie }) => !zombie);
  const runs = await runNames(runsFolder);
  const steps = (await Promise.all(runs.map((run) => stepsBelow(join(runsFolder, run, 'lanes'))))).flat();
  const noted = await notedByLost(steps);
  const top = await realPathOf(runsFolder);
  const isOurs = (folder: string) => isInside(folder, runsFolder) || isInside(folder, top);
  const found = entries.flatMap((entry): Found[] => {
    const step = platform.variable(entry.pid, stepMark);
    const mark =
      step === null ? noted.get(keyOf(identityOf(entry))) : platform.variable(entry.pid, attemptMark);
    if (!mark) return [];
    if (step !== null && !isOurs(step)) {
      const agent = singleAgentOf(entry.pid);
      if (agent === null || !isOurs(agent.runFolder)) return [];
      return [{ entry, mark, agent, told: { run: agent.run, lane: agent.lane, attempt: null } }];
    }
    const attempt = parseMark(mark);
    return attempt ? [{ entry, mark, agent: null, told: attempt }] : [];
  });
  if (found.length === 0) return [];
  const owners = await ownersOf(runs.map((run) => join(runsFolder, run)));
  const spared = sparedProcesses(entries, owners, { dist, isKnown: (step) => isKnown(step, runsFolder) });
  const watched = watchedMarks(steps.filter(({ folder }) => isKnown(folder, runsFolder)));
  const orphans: Found[] = [];
  for (const each of found.filter(({ entry }) => !spared.has(entry.pid))) {
    const { mark, agent } = each;
    if (!(agent === null ? watched(mark) : await isAtWork(agent))) orphans.push(each);
  }
  return describe(orphans);
}

/** The processes without a mark of ours, and not of our making, whose working folder lies in one of these worktrees. */
export async function findGuests(
  { runsFolder, dist }: OrphanRequest,
  worktrees: readonly string[],
): Promise<Guest[]> {
  const entries = platform.list().filter(({ zombie }) => !zombie);
  const real = await Promise.all(worktrees.map(async (path) => [path, await realPathOf(path)] as const));
  const inside = entries.flatMap((entry) => {
    const folder = platform.folder(entry.pid);
    const [worktree] = real.find(([, top]) => folder !== null && isInside(folder, top)) ?? [];
    if (worktree === undefined || platform.variable(entry.pid, stepMark) !== null) return [];
    return [{ entry, told: { worktree } }];
  });
  if (inside.length === 0) return [];
  const runs = (await runNames(runsFolder)).map((run) => join(runsFolder, run));
  const steps = (await Promise.all(runs.map((run) => stepsBelow(join(run, 'lanes'))))).flat();
  const [noted, owners] = await Promise.all([notedByLost(steps), ownersOf(runs)]);
  const spared = sparedProcesses(entries, owners, { dist, isKnown: (step) => isKnown(step, runsFolder) });
  return describe(
    inside.filter(({ entry }) => !spared.has(entry.pid) && !noted.has(keyOf(identityOf(entry)))),
  );
}

async function runNames(runsFolder: string): Promise<string[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Its launch is written before its supervisor starts and stays as long as its run, which is one with a journal only. */
function isKnown(step: string, runsFolder: string): boolean {
  if (!existsSync(stepFiles(step).launch)) return false;
  const [run = '..'] = relative(runsFolder, step).split(sep);
  return run === '..' || existsSync(journalFile(join(runsFolder, run)));
}

/** The mark of every process that a supervisor had noted before it was lost. */
async function notedByLost(steps: readonly LaneStep[]): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  for (const { folder } of steps.filter((step) => !step.supervised && !step.ended)) {
    // One that is damaged names nothing; what carries the mark is found all the same.
    const record = await readProcesses(stepFiles(folder).processes).catch(() => null);
    record?.noted.filter(isAlive).forEach((noted) => marks.set(keyOf(noted), record.mark));
  }
  return marks;
}

async function ownersOf(runFolders: readonly string[]): Promise<ProcessIdentity[]> {
  const journals = runFolders.map(journalFile).filter(existsSync);
  const owners = await Promise.all(journals.map(ownerIn));
  return owners.filter((owner) => owner !== null);
}

/** A supervisor whose launch cannot be read may be that of any attempt. */
function watchedMarks(steps: readonly LaneStep[]): (mark: string) => boolean {
  const supervised = steps.filter((step) => step.supervised);
  const marks = new Set(supervised.map(({ mark }) => mark));
  return (mark) => marks.has(mark) || marks.has(null);
}

function describe<T>(found: readonly { entry: ProcessEntry; told: T }[]): (LivingProcess & T)[] {
  const pids = found.map(({ entry }) => entry.pid);
  const [usage, ports] = [platform.usage(pids), platform.ports(pids)];
  return found.flatMap(({ entry, told }) => {
    const takes = usage.get(entry.pid);
    if (takes === undefined) return [];
    return {
      ...identityOf(entry),
      ...told,
      command: shortCommand(platform.command(entry.pid)),
      cwd: platform.folder(entry.pid),
      ports: ports.get(entry.pid) ?? [],
      cpu_s: takes.cpuS,
      rss_bytes: takes.rssBytes,
    };
  });
}

function keyOf({ pid, started, boot }: ProcessIdentity): string {
  return `${pid}:${started}:${boot}`;
}
