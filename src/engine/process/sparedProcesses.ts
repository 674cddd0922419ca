import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { identityOf, sameProcess } from './identity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

/** Our own programs among the built ones, by the script that Node runs: `ak` in one of its pieces, and the supervisor. */
const ownScript = /^(ak|ak-[\w-]+|supervisor)\.(c|m)?js$/;

/**
 * Ids of processes that are never anybody's leftovers, whatever mark they inherited: this one, what it descends from
 * and what it started; the owners of runs, `ak` and supervisors with what they started. A supervisor whose step no run
 * knows watches for nobody: neither it nor what it started is spared, whoever started it.
 * @param isKnown whether a run knows the step of this folder
 */
export function sparedProcesses(
  entries: readonly ProcessEntry[],
  owners: readonly ProcessIdentity[],
  { dist, isKnown }: { dist: string; isKnown: (step: string) => boolean },
): Set<number> {
  const isOwner = (entry: ProcessEntry) => owners.some((owner) => sameProcess(identityOf(entry), owner));
  const decided = new Map<number, boolean>();
  for (const entry of entries) {
    const own = ownProgram(entry.pid, dist);
    if (own !== null)
      decided.set(entry.pid, !isSupervisor(own.script) || own.step === '' || isKnown(own.step));
    else if (entry.pid === process.pid || isOwner(entry)) decided.set(entry.pid, true);
  }
  const parents = new Map(entries.map((entry) => [entry.pid, entry.parent]));
  const spared = entries.filter(({ pid }) => {
    const nearest = [pid, ...ancestorsOf(pid, parents)].find((each) => decided.has(each));
    return nearest !== undefined && decided.get(nearest);
  });
  return new Set([...spared.map(({ pid }) => pid), ...ancestorsOf(process.pid, parents)]);
}

interface OwnProgram {
  script: string;
  /** What follows it, for a supervisor the folder of its step; some systems tell arguments apart by spaces only. */
  step: string;
}

/** The name alone says nothing: an agent may have a `supervisor.js` of its own. */
function ownProgram(pid: number, dist: string): OwnProgram | null {
  const [, ...words] = platform.command(pid);
  const at = words.findIndex((word) => !word.startsWith('-'));
  const script = words[at];
  if (script === undefined || !ownScript.test(basename(script))) return null;
  const isOurs = dirname(realOf(resolve(platform.folder(pid) ?? '/', script))) === realOf(dist);
  return isOurs ? { script, step: words.slice(at + 1).join(' ') } : null;
}

function isSupervisor(script: string): boolean {
  return basename(script).startsWith('supervisor.');
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function ancestorsOf(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const found: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0 && !found.includes(at); at = parents.get(at)) {
    found.push(at);
  }
  return found;
}
