import { setTimeout as wait } from 'node:timers/promises';
import { parseMark } from '../process/attemptMark.ts';
import { processesIn, type LaneProcess } from './processesIn.ts';

/** Whoever only looks into a lane, as an editor's git does, is out again by then. */
const patienceMs = 1500;
const pollMs = 50;

/** The processes of a lane, and a reason with the cure for each that keeps its folder from being removed. */
export interface Working {
  processes: LaneProcess[];
  reasons: string[];
}

export function whoWorksIn(folder: string, lane: { run: string; lane: string }): Working {
  const processes = processesIn(folder, lane);
  const reasons = processes.filter(({ inside }) => inside).map((entry) => describe(folder, entry));
  return { processes, reasons };
}

/** As `whoWorksIn`, but waits shortly for those that are about to leave. */
export async function whoStaysIn(folder: string, lane: { run: string; lane: string }): Promise<Working> {
  const deadline = performance.now() + patienceMs;
  let working = whoWorksIn(folder, lane);
  while (working.reasons.length > 0 && performance.now() < deadline) {
    await wait(pollMs);
    working = whoWorksIn(folder, lane);
  }
  return working;
}

function describe(folder: string, { pid, command, mark }: LaneProcess): string {
  return `Process ${pid} (${command || 'unnamed'}) works in ${folder}; ${cureOf(mark)}`;
}

/** What agents of `ak run` left in a lane has been ended by then: those that stay are at work, or of no lane. */
function cureOf(mark: string | null): string {
  if (mark === null) return 'end it, or go to another folder there';
  return parseMark(mark) === null ? 'end it, or wait until it has ended' : 'stop it: ak lane orphans --stop';
}
